package io.kmodel.indexer.indexing.journal;

import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.store.CorruptIndexException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Checks an index that an interrupted build had completed. */
@FunctionalInterface
public interface OutputValidator {
  /**
   * Checks an index.
   *
   * @throws IOException if the check could not be done
   */
  boolean test(Path index) throws IOException;

  /** Reads an index; throws an exception if it is damaged. */
  @FunctionalInterface
  interface Check {
    void run(Path index) throws IOException;
  }

  /** Combines a check with a test whether there is a report. Damage is reported as a warning. */
  static OutputValidator of(Check check, Consumer<String> warnings) {
    return index -> {
      try {
        check.run(index);
        BuildReport.read(index);
        return true;
      } catch (CorruptIndexException | NoSuchFileException e) {
        warnings.accept("the complete index is damaged: " + e.getMessage());
        return false;
      }
    };
  }
}
