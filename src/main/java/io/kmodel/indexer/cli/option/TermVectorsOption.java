package io.kmodel.indexer.cli.option;

import picocli.CommandLine.Option;

/** The option that adds term vectors to a Lucene index. */
public final class TermVectorsOption {
  /** The name of the option. */
  static final String NAME = "--term-vectors";

  @Option(
      names = NAME,
      fallbackValue = "true",
      description =
          "Store term vectors of the fields of text in the Lucene index, with positions and offsets"
              + " as the index has them, for relevance feedback and highlighting. Stored texts are"
              + " analyzed once more for that.")
  private boolean wanted;

  TermVectorsOption() {}

  public boolean isWanted() {
    return wanted;
  }
}
