package io.kmodel.indexer.build;

import java.io.IOException;

/** What parsed documents are made into. Safe for many threads; what it hands out is for one. */
interface BuildOutput {
  /** Where a split's documents go. */
  SplitOutput split(int ordinal) throws IOException;
}
