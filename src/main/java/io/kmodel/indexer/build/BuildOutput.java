package io.kmodel.indexer.build;

import java.io.IOException;

/** What parsed documents are made into. Safe for many threads; what it hands out is for one. */
interface BuildOutput {
  /** Where a split's documents go. */
  SplitOutput split(int ordinal) throws IOException;

  /** Drops what a finished split was made into: it will be read again, or has no documents. */
  void drop(int ordinal) throws IOException;
}
