package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.Tier;
import io.kmodel.indexer.cli.Launcher.Ended;
import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.source.Packed;
import io.kmodel.indexer.source.SkipReason;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * A process of its own keeps to the memory budget. In the thorough tier the corpus is several times
 * as large as the budget.
 */
class MemoryBudgetIT extends BudgetedBuild {
  private static final int FILES = Tier.pick(20, 400);

  private static final int LONG_IDS = Tier.pick(600, 4000);

  private static final int HUGE_IDS = Tier.pick(40, 150);

  private static final int FILE_BYTES = 2 << 20;

  @Test
  void aCorpusThreeTimesTheBudgetIsIndexedWithinIt() throws IOException, InterruptedException {
    Path crawl = Files.createDirectory(directory.resolve("crawl"));
    long corpusBytes = writeCorpus(crawl);
    assertThat(corpusBytes).isGreaterThan(Tier.pick(BUDGET_MIB / 8, 3 * BUDGET_MIB) * MEBIBYTE);
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
    assertThat(report.runs()).isGreaterThan(Tier.pick(1, 4));
    assertThat(report.peakMemoryBytes())
        .as("peak resident set")
        .isBetween(1L, (BUDGET_MIB + MARGIN_MIB) * MEBIBYTE);
  }

  /** A million documents of one word, each with a term that no other has. */
  @Test
  void aMillionOneWordDocumentsOfDistinctTermsAreIndexedWithinIt() throws Exception {
    Path file = writeWords();
    BuildReport report = build(file, "standard", ExitCode.OK);
    assertThat(report.documents()).isEqualTo(WORDS);
    assertThat(report.tokens()).isEqualTo(WORDS);
  }

  @Test
  void oneTermRepeatedTensOfMillionsOfTimesIsIndexedWithinIt() throws Exception {
    Path crawl = Files.createDirectory(directory.resolve("same"));
    String text = "again ".repeat(200_000);
    int pages = Tier.pick(15, 100);
    for (int i = 0; i < pages; i++) {
      Files.writeString(crawl.resolve("page-%d.txt".formatted(i)), text);
    }
    BuildReport report = build(crawl, "standard", ExitCode.OK);
    assertThat(report.tokens()).isEqualTo(pages * 200_000L);
  }

  /** 500 MB in the thorough tier, in the default budget of large machines. */
  @Test
  void aTextThatTakesMostOfTheHeapIsIndexedWithinIt() throws Exception {
    Path file = directory.resolve("text.txt");
    writeLongWords(file, Tier.pick(15_000_000, 500_000_000));
    long memoryMib = Tier.pick(BUDGET_MIB, 4096L);
    Path index = directory.resolve("index");
    BuildReport report =
        build(file, index, memoryMib, 1, ExitCode.OK, "--output=" + index, "--max-document=512m");
    assertThat(report.documents()).isEqualTo(1);
    assertThat(report.runs()).isEqualTo(1);
  }

  /** Words of eight letters, so that all of them fit into one run. */
  private static void writeLongWords(Path file, int bytes) throws IOException {
    Random random = new Random(3);
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      for (int written = 0; written < bytes; written += 9) {
        out.write(Long.toString((1L << 41) + random.nextInt(50_000) * 7919L, 36) + " ");
      }
    }
  }

  /** Ids as long as Lucene takes terms; one that is longer costs its document. */
  @Test
  void termsOfThirtyTwoKilobytesAreIndexedWithinIt() throws Exception {
    Path file = directory.resolve("long.jsonl");
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      for (int i = 0; i <= LONG_IDS; i++) {
        String start = Integer.toString(i * 7919, 36) + "-";
        int length = i == LONG_IDS / 2 ? 32_767 : 32_766;
        String id = start + "x".repeat(length - start.length());
        out.write("{\"id\": \"%s\", \"contents\": \"word\"}%n".formatted(id));
      }
    }
    BuildReport report = build(file, "standard", ExitCode.INCOMPLETE);
    assertThat(report.documents()).isEqualTo(LONG_IDS);
    assertThat(report.skipped()).containsOnlyKeys(SkipReason.UNPARSABLE.label());
  }

  /** Examples of what was skipped were kept with their ids, until the heap was full of them. */
  @Test
  void idsOfAMegabyteAreSkippedWithinIt() throws Exception {
    Path file = directory.resolve("ids.jsonl");
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      out.write("{\"id\": \"short\", \"contents\": \"word\"}%n".formatted());
      for (int i = 0; i < HUGE_IDS; i++) {
        String id = i + "-" + "x".repeat(1 << 20);
        out.write("{\"id\": \"%s\", \"contents\": \"word\"}%n".formatted(id));
      }
    }
    BuildReport report = build(file, "standard", ExitCode.INCOMPLETE);
    assertThat(report.documents()).isEqualTo(1);
    assertThat(report.skipped()).containsValue((long) HUGE_IDS).hasSize(1);
    assertThat(directory.resolve("index").resolve(BuildReport.SKIPPED_FILE_NAME).toFile().length())
        .isLessThan(HUGE_IDS * 2000L);
  }

  /** Two threads had a dictionary of 64 MiB each, and no heap for them. */
  @Test
  void filesOfTheLargestUsualDictionaryAreReadWithinIt() throws Exception {
    Path crawl = Files.createDirectory(directory.resolve("packed"));
    int files = Tier.pick(9, 20);
    for (int file = 0; file < files; file++) {
      StringBuilder lines = new StringBuilder();
      for (int i = 0; i < 100; i++) {
        lines.append("{\"id\": \"%d-%d\", \"contents\": \"word\"}%n".formatted(file, i));
      }
      Files.write(
          crawl.resolve("%d.jsonl.xz".formatted(file)),
          Packed.xz(lines.toString().getBytes(StandardCharsets.UTF_8), file == 7 ? 1024 : 64));
    }
    BuildReport report = build(crawl, "standard", ExitCode.INCOMPLETE);
    assertThat(report.documents()).isEqualTo((files - 1) * 100L);
    assertThat(report.skipped()).containsOnly(Map.entry(SkipReason.TOO_LARGE.label(), 1L));
    assertThat(directory.resolve("index").resolve(BuildReport.SKIPPED_FILE_NAME))
        .content()
        .contains("7.jsonl.xz", "needs 1025 MiB to decode");
  }

  private BuildReport build(Path crawl, String analyzer, int exitCode) throws Exception {
    Path index = directory.resolve("index");
    BuildReport report =
        build(crawl, index, BUDGET_MIB, 2, exitCode, "--output=" + index, "--analyzer=" + analyzer);
    if (!Tier.isThorough()) {
      return report;
    }
    Ended verified = Launcher.run("verify", "--deep", index.toString());
    assertThat(verified.exitCode()).as(verified.err()).isEqualTo(ExitCode.OK);
    assertThat(verified.out()).contains("is intact", "searches agree");
    return report;
  }

  /** Text of a vocabulary with a long tail, so that dictionaries grow as a crawl's do. */
  private static long writeCorpus(Path crawl) throws IOException {
    Random random = new Random(42);
    long bytes = 0;
    for (int file = 0; file < FILES; file++) {
      Path path = crawl.resolve("page-%04d.txt".formatted(file));
      Corpus.writeText(path, random, FILE_BYTES, 16);
      bytes += Files.size(path);
    }
    return bytes;
  }
}
