package io.kmodel.indexer.indexing.documents;

import io.kmodel.indexer.indexing.journal.Reading;
import io.kmodel.indexer.indexing.report.SplitResult;
import java.io.IOException;

/** What parsed documents are made into. Safe for many threads; what it hands out is for one. */
public interface BuildOutput {
  /** Where the documents of a reading of a split go. */
  SplitOutput split(Reading reading) throws IOException;

  /** A split was read; postings of its last run may still come. By the thread that has read it. */
  default void read(Reading reading, SplitResult result) throws IOException {}

  /** Drops what a finished reading was made into: another takes its place. */
  void drop(int split) throws IOException;
}
