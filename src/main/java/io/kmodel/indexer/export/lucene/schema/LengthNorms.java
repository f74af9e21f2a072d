package io.kmodel.indexer.export.lucene.schema;

import java.io.IOException;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.util.SmallFloat;

/**
 * The norms of a field, computed from document lengths like Lucene's similarities do. Every
 * document has one; as in IndexWriter, the norm of an empty text is 0. Not thread-safe.
 */
public final class LengthNorms extends NumericDocValues {
  /** Precomputed norms of typical lengths: Lucene requests one per posting. */
  private static final byte[] OF_SHORT = new byte[1 << 12];

  static {
    for (int length = 0; length < OF_SHORT.length; length++) {
      OF_SHORT[length] = SmallFloat.intToByte4(length);
    }
  }

  private final DocumentLengths lengths;
  private final int field;
  private int docId = -1;

  public LengthNorms(DocumentLengths lengths, int field) {
    this.lengths = lengths;
    this.field = field;
  }

  @Override
  public long longValue() throws IOException {
    return norm(docId);
  }

  /** The norm of any document of the segment. */
  public byte norm(int document) throws IOException {
    int length = lengths.length(field, document);
    return length < OF_SHORT.length ? OF_SHORT[length] : SmallFloat.intToByte4(length);
  }

  @Override
  public boolean advanceExact(int target) {
    docId = target;
    return true;
  }

  @Override
  public int docID() {
    return docId;
  }

  @Override
  public int nextDoc() throws IOException {
    return advance(docId + 1);
  }

  @Override
  public int advance(int target) throws IOException {
    docId = target < lengths.count() ? target : NO_MORE_DOCS;
    return docId;
  }

  @Override
  public long cost() {
    return lengths.count();
  }
}
