package io.kmodel.indexer.api;

import io.kmodel.indexer.indexing.report.BuildReport;
import java.nio.file.Path;
import java.util.Map;

/**
 * What a build has made. The index also holds {@code report.json} and {@code report.html} with many
 * more figures, and {@code skipped.jsonl} with a line for each document that was left out or
 * damaged.
 *
 * @param directory where the index is
 * @param documents documents in the index
 * @param terms distinct terms of all fields
 * @param tokens occurrences of terms in all tokenized fields
 * @param skipped documents that were left out, by reason; usually empty
 * @param keptInPart documents of which a part could not be decoded
 * @param seconds from the start of the build to its end
 */
public record BuildResult(
    Path directory,
    long documents,
    long terms,
    long tokens,
    Map<String, Long> skipped,
    long keptInPart,
    double seconds) {
  /** Copies the map. */
  public BuildResult {
    skipped = Map.copyOf(skipped);
  }

  static BuildResult of(Path directory, BuildReport report) {
    return new BuildResult(
        directory,
        report.documents(),
        report.distinctTerms(),
        report.tokens(),
        report.skipped(),
        report.keptInPart(),
        report.seconds());
  }

  /**
   * Whether every document is in the index, as a whole.
   *
   * @return true if nothing was left out
   */
  public boolean complete() {
    return skipped.isEmpty() && keptInPart == 0;
  }
}
