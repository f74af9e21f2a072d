package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.QuickEvery;
import io.kmodel.indexer.Tier;
import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.indexing.report.BuildReport;
import java.io.BufferedWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A Lucene index is made within the memory budget, too. */
class LuceneMemoryBudgetIT extends BudgetedBuild {
  /** Ranges of terms are encoded in the heap, which is not to be full of what leads to them. */
  @Test
  void oneSegmentOfALuceneIndexOfThemIsWrittenWithinIt() throws Exception {
    Path index = directory.resolve("lucene");
    BuildReport report =
        build(
            writeWords(),
            index,
            BUDGET_MIB,
            2,
            ExitCode.OK,
            "--export=lucene:" + index,
            "--segments=1");
    assertThat(report.documents()).isEqualTo(WORDS);
  }

  /** Of several that are written at a time, each with threads that encode ahead of one. */
  @ParameterizedTest
  @QuickEvery(2)
  @ValueSource(ints = {4, 1})
  void segmentsThatAreWrittenSideBySideAreWrittenWithinIt(int segments) throws Exception {
    Path crawl = Files.createDirectory(directory.resolve("rare"));
    long next = 0;
    int files = Tier.pick(4, 64);
    for (int file = 0; file < files; file++) {
      try (BufferedWriter out = Files.newBufferedWriter(crawl.resolve(file + ".tsv"))) {
        for (int i = 0; i < 250_000; i++) {
          out.write(i % 1000 == 0 ? "d%d\t".formatted(next) : " ");
          out.write(Long.toHexString((next++ * 2_654_435_761L) & 0xFF_FFFF_FFFFL));
          out.write(i % 1000 == 999 ? "\n" : "");
        }
      }
    }
    Path index = directory.resolve("rare-index");
    BuildReport report =
        build(
            crawl,
            index,
            334,
            8,
            ExitCode.OK,
            "--export=lucene:" + index,
            "--segments=" + segments);
    assertThat(report.tokens()).isEqualTo(files * 250_000L);
  }
}
