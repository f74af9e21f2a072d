package io.kmodel.indexer.indexing.journal;

import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.store.CorruptIndexException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Tells whether the files of a complete index, which lay there for a while, still are. */
@FunctionalInterface
public interface OutputValidator {
  /**
   * Looks at an index.
   *
   * @throws IOException if that cannot be said
   */
  boolean test(Path index) throws IOException;

  /** Reads an index, and fails where it is damaged. */
  @FunctionalInterface
  interface Check {
    void run(Path index) throws IOException;
  }

  /** What a check of an index finds, and whether there is a report; told of what is damaged. */
  static OutputValidator of(Check check, Consumer<String> warnings) {
    return index -> {
      try {
        check.run(index);
        BuildReport.read(index);
        return true;
      } catch (CorruptIndexException | NoSuchFileException e) {
        warnings.accept("what was complete is damaged: " + e.getMessage());
        return false;
      }
    };
  }
}
