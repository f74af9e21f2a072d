package io.kmodel.indexer.index;

import java.io.IOException;

/** Reads stored documents. Not thread-safe: one per thread. */
@SuppressWarnings("DoNotCallSuggester")
public final class StoredDocumentsReader implements AutoCloseable {
  StoredDocumentsReader() {}

  /** The text of a stored field of a document. */
  public String text(int docId, int field) throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
