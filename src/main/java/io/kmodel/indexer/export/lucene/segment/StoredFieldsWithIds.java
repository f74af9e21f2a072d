package io.kmodel.indexer.export.lucene.segment;

import java.io.IOException;
import org.apache.lucene.codecs.StoredFieldsWriter;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.util.BytesRef;

/**
 * Writes stored fields, and adds the texts of the field with doc values to a spool. Closing it
 * seals the spool, which the caller owns. Not thread-safe.
 */
final class StoredFieldsWithIds extends StoredFieldsWriter {
  private final StoredFieldsWriter to;
  private final IdSpool ids;

  StoredFieldsWithIds(StoredFieldsWriter to, IdSpool ids) {
    this.to = to;
    this.ids = ids;
  }

  @Override
  public void startDocument() throws IOException {
    to.startDocument();
  }

  @Override
  public void writeField(FieldInfo field, String value) throws IOException {
    to.writeField(field, value);
    if (field.getDocValuesType() != DocValuesType.NONE) {
      ids.add(value);
    }
  }

  @Override
  public void writeField(FieldInfo field, int value) throws IOException {
    to.writeField(field, value);
  }

  @Override
  public void writeField(FieldInfo field, long value) throws IOException {
    to.writeField(field, value);
  }

  @Override
  public void writeField(FieldInfo field, float value) throws IOException {
    to.writeField(field, value);
  }

  @Override
  public void writeField(FieldInfo field, double value) throws IOException {
    to.writeField(field, value);
  }

  @Override
  public void writeField(FieldInfo field, BytesRef value) throws IOException {
    to.writeField(field, value);
  }

  @Override
  public void finishDocument() throws IOException {
    to.finishDocument();
  }

  @Override
  public void finish(int documents) throws IOException {
    to.finish(documents);
  }

  @Override
  public void close() throws IOException {
    try (to) {
      ids.seal();
    }
  }

  @Override
  public long ramBytesUsed() {
    return to.ramBytesUsed();
  }
}
