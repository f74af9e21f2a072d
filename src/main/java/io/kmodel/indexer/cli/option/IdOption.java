package io.kmodel.indexer.cli.option;

import io.kmodel.indexer.indexing.options.IdPolicy;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option for documents with the same id when indexes are merged. */
public final class IdOption {
  @Option(
      names = "--duplicates",
      paramLabel = "POLICY",
      description =
          "If documents share an id, in one index or across several, keep all (keep), only the first"
              + " (skip; the exit code is then 1) or only the last (last), or stop with an error"
              + " (error) (default: what the index was made with).")
  private @Nullable IdPolicy policy;

  @SuppressWarnings("NullAway.Init") // picocli fills the option
  IdOption() {}

  /** Null if it was not given. */
  public @Nullable IdPolicy policy() {
    return policy;
  }
}
