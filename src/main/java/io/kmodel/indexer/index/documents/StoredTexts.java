package io.kmodel.indexer.index.documents;

import io.kmodel.indexer.index.model.Schema;
import java.io.IOException;

/** Reads the stored texts of documents. Not thread-safe: use one per thread. */
public interface StoredTexts extends AutoCloseable {
  /**
   * Returns the text of a document's stored field.
   *
   * @param field ordinal in the schema
   * @throws IllegalArgumentException if the field is not stored
   */
  String text(int docId, int field) throws IOException;

  /** The same in UTF-8, without a copy. */
  void utf8(int docId, int field, Utf8 to) throws IOException;

  /** Receives a text. */
  @FunctionalInterface
  interface Utf8 {
    /** The array must not be used after the call. */
    void accept(byte[] utf8, int offset, int length) throws IOException;
  }

  @Override
  void close();

  /** A reader for an index that stores nothing. */
  static StoredTexts none(Schema schema) {
    return new StoredTexts() {
      @Override
      public String text(int docId, int field) {
        throw notStored(schema, field);
      }

      @Override
      public void utf8(int docId, int field, Utf8 to) {
        throw notStored(schema, field);
      }

      @Override
      public void close() {}
    };
  }

  /** The exception for a field that is not stored. */
  static IllegalArgumentException notStored(Schema schema, int field) {
    return new IllegalArgumentException(
        "field '%s' is not stored".formatted(schema.field(field).name()));
  }
}
