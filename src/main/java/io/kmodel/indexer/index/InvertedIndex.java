package io.kmodel.indexer.index;

import java.io.IOException;
import java.nio.file.Path;

/** An opened index, mapped into memory. Safe for many threads; what it hands out is not. */
@SuppressWarnings("DoNotCallSuggester")
public final class InvertedIndex implements AutoCloseable {
  private InvertedIndex() {}

  /** Opens an index: metadata, and every file's header, footer and length, are checked. */
  public static InvertedIndex open(Path directory) throws IOException {
    throw new UnsupportedOperationException();
  }

  public Path directory() {
    throw new UnsupportedOperationException();
  }

  public IndexMetadata metadata() {
    throw new UnsupportedOperationException();
  }

  public Schema schema() {
    throw new UnsupportedOperationException();
  }

  public int documentCount() {
    throw new UnsupportedOperationException();
  }

  public FieldStatistics statistics(int field) {
    throw new UnsupportedOperationException();
  }

  /** Random access to the terms of a field. */
  public TermCursor terms(int field) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** The whole index, sequentially. */
  public PostingsCursor cursor() throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Tokens of a tokenized field of a document, without overlaps. */
  public int length(int field, int docId) {
    throw new UnsupportedOperationException();
  }

  /** A reader of stored documents, for one thread. */
  public StoredDocumentsReader documents() throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() throws IOException {}
}
