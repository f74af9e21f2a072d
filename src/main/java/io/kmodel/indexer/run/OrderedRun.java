package io.kmodel.indexer.run;

import io.kmodel.indexer.index.model.PostingsCursor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A run whose lists are in order, still in the memory that it was made in. DocIDs are relative to
 * the run's first document. Not thread-safe.
 */
public interface OrderedRun {
  int documentCount();

  long tokenCount();

  /** The length of a document in a tokenized field, in tokens. */
  int length(int field, int docId);

  /** The run's postings, read in place; one cursor at a time, and only until the run is reset. */
  PostingsCursor cursor();

  /** Writes the run file (see {@link RunWriter}). */
  void writeRun(Path path) throws IOException;

  /**
   * Copies the run to separate memory. Returns null if the run cannot be copied or there is no
   * room.
   *
   * @param room whether there is room for this number of bytes
   */
  @Nullable MemoryRun copy(LongPredicate room);
}
