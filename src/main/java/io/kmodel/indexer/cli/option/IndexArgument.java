package io.kmodel.indexer.cli.option;

import io.kmodel.indexer.index.InvertedIndex;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Parameters;

/** The index that a command reads. */
public final class IndexArgument {
  @Parameters(index = "0", paramLabel = "INDEX", description = "An index made by 'indexer build'.")
  private Path directory;

  @SuppressWarnings("NullAway.Init") // picocli fills the argument
  IndexArgument() {}

  public Path directory() {
    if (!InvertedIndex.exists(directory)) {
      throw new IllegalArgumentException("no index at %s: %s".formatted(directory, problem()));
    }
    return directory;
  }

  private String problem() {
    if (!Files.exists(directory)) {
      return "no such directory";
    }
    return Files.isDirectory(directory)
        ? "it has no %s (make one with 'indexer build')".formatted(InvertedIndex.METADATA)
        : "not a directory";
  }

  public InvertedIndex open() throws IOException {
    return InvertedIndex.open(directory());
  }
}
