package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.Tier;
import io.kmodel.indexer.cli.Launcher.Ended;
import io.kmodel.indexer.indexing.report.BuildReport;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/** Builds in new processes, which keep to a memory budget. */
abstract class BudgetedBuild {
  static final long MEBIBYTE = 1L << 20;

  static final long BUDGET_MIB = 256;

  /** What the JVM may need beside the budget. */
  static final long MARGIN_MIB = 512;

  static final int WORDS = Tier.pick(150_000, 1_000_000);

  @TempDir Path directory;

  Path writeWords() throws IOException {
    Path file = directory.resolve("words.tsv");
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      for (int i = 0; i < WORDS; i++) {
        out.write("d%d\tterm%s\n".formatted(i, Long.toString(i * 7919L, 36)));
      }
    }
    return file;
  }

  /** Builds in a process of its own, which keeps to the budget. */
  static BuildReport build(
      Path crawl, Path index, long memoryMib, int threads, int exitCode, String... options)
      throws Exception {
    List<String> arguments =
        ImmutableList.<String>builder()
            .add("build", crawl.toString())
            .add("--memory=%dm".formatted(memoryMib), "--threads=" + threads)
            .add(options)
            .build();
    Ended ended = Launcher.run(arguments.toArray(new String[0]));
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(exitCode);
    BuildReport report = BuildReport.read(index);
    assertThat(report.peakMemoryBytes())
        .as("peak resident set")
        .isBetween(1L, (memoryMib + MARGIN_MIB) * MEBIBYTE);
    return report;
  }
}
