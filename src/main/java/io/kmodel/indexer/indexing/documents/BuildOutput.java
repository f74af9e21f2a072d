package io.kmodel.indexer.indexing.documents;

import io.kmodel.indexer.indexing.journal.Reading;
import io.kmodel.indexer.indexing.report.SplitResult;
import io.kmodel.indexer.inversion.ListForm;
import java.io.IOException;

/** Takes inverted documents. Safe for many threads; each {@link SplitOutput} is for one. */
public interface BuildOutput {
  /** How the output takes lists that a device has inverted. */
  default ListForm form() {
    return ListForm.KEYS;
  }

  /** The output for a reading of a split. */
  SplitOutput split(Reading reading) throws IOException;

  /**
   * Called when a split was read, by the thread that read it; postings of its last run may follow.
   */
  default void read(Reading reading, SplitResult result) throws IOException {}

  /** Drops the runs and documents of a finished reading, which another one replaces. */
  void drop(int split) throws IOException;
}
