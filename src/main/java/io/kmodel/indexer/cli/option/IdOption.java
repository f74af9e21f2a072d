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
          "Of documents with the same id, keep all, skip all but the first, keep only the last, or"
              + " stop with an error: keep, skip, last or error (default: what the index was made"
              + " with).")
  private @Nullable IdPolicy policy;

  @SuppressWarnings("NullAway.Init") // picocli fills the option
  IdOption() {}

  /** Null if it was not given. */
  public @Nullable IdPolicy policy() {
    return policy;
  }
}
