package io.kmodel.indexer.index;

import java.io.IOException;
import java.nio.file.Path;

/** Writes one split's stored documents. */
@SuppressWarnings("DoNotCallSuggester")
public final class StoredDocumentsWriter implements AutoCloseable {
  public StoredDocumentsWriter(Path file, Schema schema) throws IOException {
    throw new UnsupportedOperationException(file + " " + schema);
  }

  /** Adds the next document: one value per stored field, in order of the fields' ordinals. */
  public void add(long unit, String... values) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Seals the file. */
  public void commit() throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() throws IOException {}
}
