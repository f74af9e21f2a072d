package io.kmodel.indexer.export.lucene;

import io.kmodel.indexer.index.Detail;
import java.io.IOException;

/** Terms in byte order of their term keys, read once, sequentially. Not thread-safe. */
interface TermStream extends AutoCloseable {
  /** Moves to the next term; returns false at the end. */
  boolean nextTerm() throws IOException;

  /** The term key, in its first {@link #termLength} bytes; valid until {@link #nextTerm}. */
  byte[] term();

  int termLength();

  /** Creates a reader for the postings of successive terms of a field with the given detail. */
  StreamedPostings newPostings(Detail detail);

  @Override
  void close() throws IOException;
}
