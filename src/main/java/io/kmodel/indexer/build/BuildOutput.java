package io.kmodel.indexer.build;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** What parsed documents are made into. Safe for many threads; what it hands out is for one. */
interface BuildOutput {
  /** Where the documents of a reading of a split go. */
  SplitOutput split(JournalEntry.Reading reading) throws IOException;

  /** A split was read; postings of its last run may still come. By the thread that has read it. */
  default void read(JournalEntry.Reading reading, SplitIndexer.Result result) throws IOException {}

  /**
   * What came of a reading that need not be done again, and is there from now on; null where it has
   * to be done.
   */
  default SplitIndexer.@Nullable Result restore(JournalEntry.Reading reading) throws IOException {
    return null;
  }

  /** Drops what a finished reading was made into: another takes its place. */
  void drop(int split) throws IOException;
}
