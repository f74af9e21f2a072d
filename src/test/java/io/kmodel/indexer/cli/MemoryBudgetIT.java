package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.build.BuildReport;
import io.kmodel.indexer.cli.Launcher.Ended;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The memory budget is kept, in a process of its own, with a corpus several times as large. */
class MemoryBudgetIT {
  private static final long MEBIBYTE = 1L << 20;
  private static final long BUDGET_MIB = 256;

  /** What the JVM may need beside the budget. */
  private static final long MARGIN_MIB = 512;

  private static final int FILES = 400;
  private static final int FILE_BYTES = 2 << 20;

  @TempDir Path directory;

  @Test
  void aCorpusThreeTimesTheBudgetIsIndexedWithinIt() throws IOException, InterruptedException {
    Path crawl = Files.createDirectory(directory.resolve("crawl"));
    long corpusBytes = writeCorpus(crawl);
    assertThat(corpusBytes).isGreaterThan(3 * BUDGET_MIB * MEBIBYTE);
    Path index = directory.resolve("index");
    Ended ended =
        Launcher.run(
            "build",
            crawl.toString(),
            "--output",
            index.toString(),
            "--memory",
            BUDGET_MIB + "m",
            "--threads",
            "2");
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(ExitCode.OK);
    BuildReport report = BuildReport.read(index);
    assertThat(report.documents()).isEqualTo(FILES);
    assertThat(report.runs()).isGreaterThan(4);
    assertThat(report.peakMemoryBytes())
        .as("peak resident set")
        .isBetween(1L, (BUDGET_MIB + MARGIN_MIB) * MEBIBYTE);
  }

  /** Text of a vocabulary with a long tail, so that dictionaries grow as a crawl's do. */
  private static long writeCorpus(Path crawl) throws IOException {
    Random random = new Random(42);
    long bytes = 0;
    for (int file = 0; file < FILES; file++) {
      Path path = crawl.resolve("page-%04d.txt".formatted(file));
      try (BufferedWriter out = Files.newBufferedWriter(path)) {
        for (int written = 0; written < FILE_BYTES; ) {
          int rank = (int) Math.exp(random.nextDouble() * 16);
          String word = Integer.toString(rank * 7919 + 10_000, 36);
          out.write(word);
          out.write(random.nextInt(12) == 0 ? '\n' : ' ');
          written += word.length() + 1;
        }
      }
      bytes += Files.size(path);
    }
    return bytes;
  }
}
