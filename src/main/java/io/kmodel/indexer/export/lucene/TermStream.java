package io.kmodel.indexer.export.lucene;

import io.kmodel.indexer.index.Detail;
import java.io.IOException;

/** Terms in byte order of their term keys, once, front to back. Not thread-safe. */
interface TermStream extends AutoCloseable {
  /** Moves to the next term; false at the end. */
  boolean nextTerm() throws IOException;

  /** The term key, in its first {@link #termLength} bytes; valid until {@link #nextTerm}. */
  byte[] term();

  int termLength();

  /** A way to pull the postings of one term after another of a field that records so much. */
  StreamedPostings newPostings(Detail detail);

  @Override
  void close() throws IOException;
}
