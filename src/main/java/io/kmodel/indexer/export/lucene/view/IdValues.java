package io.kmodel.indexer.export.lucene.view;

import io.kmodel.indexer.export.lucene.schema.DocumentRange;
import io.kmodel.indexer.index.documents.StoredTexts;
import java.io.IOException;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.util.BytesRef;

/** The stored texts of a field, one per document of a range, as doc values. Not thread-safe. */
final class IdValues extends BinaryDocValues {
  private final StoredTexts documents;
  private final int field;
  private final DocumentRange range;
  private int docId = -1;

  /**
   * Creates values positioned before the first document.
   *
   * @param documents not closed by this class
   * @param field ordinal in the schema
   */
  IdValues(StoredTexts documents, int field, DocumentRange range) {
    this.documents = documents;
    this.field = field;
    this.range = range;
  }

  @Override
  public BytesRef binaryValue() throws IOException {
    return new BytesRef(documents.text(range.from() + docId, field));
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
    docId = target < range.size() ? target : NO_MORE_DOCS;
    return docId;
  }

  @Override
  public long cost() {
    return range.size();
  }
}
