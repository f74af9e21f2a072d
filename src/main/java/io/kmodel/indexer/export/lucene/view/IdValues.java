package io.kmodel.indexer.export.lucene.view;

import io.kmodel.indexer.index.documents.StoredTexts;
import java.io.IOException;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.util.BytesRef;

/** The stored texts of a field, one per document, as doc values. Not thread-safe. */
final class IdValues extends BinaryDocValues {
  private final StoredTexts documents;
  private final int field;
  private final int count;
  private int docId = -1;

  /**
   * Creates values positioned before the first document.
   *
   * @param documents not closed by this class
   * @param field ordinal in the schema
   * @param count number of documents
   */
  IdValues(StoredTexts documents, int field, int count) {
    this.documents = documents;
    this.field = field;
    this.count = count;
  }

  @Override
  public BytesRef binaryValue() throws IOException {
    return new BytesRef(documents.text(docId, field));
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
  public int nextDoc() {
    return advance(docId + 1);
  }

  @Override
  public int advance(int target) {
    docId = target < count ? target : NO_MORE_DOCS;
    return docId;
  }

  @Override
  public long cost() {
    return count;
  }
}
