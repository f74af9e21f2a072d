package io.kmodel.indexer.build;

import java.io.IOException;

/** What parsed documents are made into. Safe for many threads; what it hands out is for one. */
interface BuildOutput {
  /** Where the documents of a reading of a split go. */
  SplitOutput split(Reading reading) throws IOException;

  /** A split was read; postings of its last run may still come. By the thread that has read it. */
  default void read(Reading reading, SplitResult result) throws IOException {}

  /** Drops what a finished reading was made into: another takes its place. */
  void drop(int split) throws IOException;
}
