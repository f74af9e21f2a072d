package io.kmodel.indexer.cli.option;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The options for where an index is made of other indexes or files of engines. */
public final class NewIndex {
  @Option(
      names = {"-o", "--output"},
      paramLabel = "INDEX",
      converter = PathArgument.Output.class,
      required = true,
      description = "Create the index in this directory.")
  private Path output;

  @Option(names = "--overwrite", fallbackValue = "true", description = "Replace an existing index.")
  private boolean overwrite;

  @SuppressWarnings("NullAway.Init") // picocli fills the options
  NewIndex() {}

  public Path output() {
    return output;
  }

  public boolean overwrite() {
    return overwrite;
  }
}
