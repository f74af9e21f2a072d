package io.kmodel.indexer.export.lucene.view;

import io.kmodel.indexer.export.lucene.schema.LuceneFields;
import io.kmodel.indexer.index.documents.StoredTexts;
import java.io.IOException;
import org.apache.lucene.index.StoredFieldVisitor;
import org.apache.lucene.index.StoredFields;

/** The stored documents of an index, as Lucene's StoredFields. Not thread-safe. */
final class IndexStoredFields extends StoredFields {
  private final StoredTexts documents;
  private final LuceneFields fields;
  private final int count;

  IndexStoredFields(StoredTexts documents, LuceneFields fields, int count) {
    this.documents = documents;
    this.fields = fields;
    this.count = count;
  }

  @Override
  public void document(int docId, StoredFieldVisitor visitor) throws IOException {
    if (docId < 0 || docId >= count) {
      throw new IndexOutOfBoundsException(
          "docID %d is out of range; the reader has %d documents".formatted(docId, count));
    }
    for (LuceneFields.Stored stored : fields.stored()) {
      StoredFieldVisitor.Status status = visitor.needsField(stored.info());
      if (status == StoredFieldVisitor.Status.STOP) {
        return;
      }
      if (status == StoredFieldVisitor.Status.YES) {
        visitor.stringField(stored.info(), documents.text(docId, stored.ordinal()));
      }
    }
  }
}
