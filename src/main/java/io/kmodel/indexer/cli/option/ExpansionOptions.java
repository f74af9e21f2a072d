package io.kmodel.indexer.cli.option;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.search.expand.Rm3;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/**
 * The options that expand queries. Like the parameters of {@link ModelOptions}, each parameter is
 * an option with its help, default and settings key, rather than a part of {@code --expand}'s
 * value.
 */
public final class ExpansionOptions {
  private static final ImmutableList<String> PARAMETERS =
      ImmutableList.of("--expand-terms", "--expand-documents", "--original-weight");

  /** The methods' names on the command line. */
  private enum Method {
    RM3
  }

  @Option(
      names = "--expand",
      paramLabel = "METHOD",
      description =
          "Expand queries of words by rm3, as Anserini's -rm3 does: add words of the documents"
              + " found first, and search again. Needs an index with stored contents.")
  private @Nullable Method method;

  @Option(
      names = "--expand-terms",
      paramLabel = "N",
      description = "Add N words with --expand (default: 10).")
  private @Nullable Integer terms;

  @Option(
      names = "--expand-documents",
      paramLabel = "N",
      description = "Take the words of --expand from the best N documents (default: 10).")
  private @Nullable Integer documents;

  @Option(
      names = "--original-weight",
      paramLabel = "X",
      description =
          "Give the query's own words this share of the weights with --expand, 0 to 1 (default:"
              + " 0.5).")
  private @Nullable Float originalWeight;

  @SuppressWarnings("NullAway.Init") // picocli fills the options
  ExpansionOptions() {}

  /** Returns the parameters; null if queries are not expanded. */
  public @Nullable Rm3 toRm3(CommandSpec command) {
    if (method == null) {
      Given.refuse(command, PARAMETERS, "--expand");
      return null;
    }
    return new Rm3(
        terms == null ? Rm3.DEFAULT.expandTerms() : terms,
        documents == null ? Rm3.DEFAULT.expandDocuments() : documents,
        originalWeight == null ? Rm3.DEFAULT.originalWeight() : originalWeight);
  }
}
