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
    if (!Files.exists(directory)) {
      throw new IllegalArgumentException("no index at " + directory + ": no such directory");
    }
    if (!Files.isDirectory(directory)) {
      throw new IllegalArgumentException("no index at " + directory + ": not a directory");
    }
    if (!Files.exists(directory.resolve(InvertedIndex.METADATA))) {
      throw new IllegalArgumentException(
          "no index at %s: it has no %s (make one with 'indexer build')"
              .formatted(directory, InvertedIndex.METADATA));
    }
    return directory;
  }

  public InvertedIndex open() throws IOException {
    return InvertedIndex.open(directory());
  }
}
