package io.kmodel.indexer.indexing;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.Tier;
import io.kmodel.indexer.faults.Faults.Kind;
import io.kmodel.indexer.indexing.journal.Reading;
import io.kmodel.indexer.indexing.journal.RecoveredState;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.Duplicates;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.options.Recovery.Start;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.source.SourceOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.SortedMap;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Builds of one large packed file of lines, which several threads read as it is unpacked. */
@Timeout(240)
class UnpackedBuildTest extends InterruptedBuild {
  private static final int LINES = Tier.pick(45_000, 60_000);

  private static final String BETWEEN = Tier.pick("      ", " ");
  private static final long[] AHEAD_BYTES =
      Tier.pick(new long[] {2 << 20, 64 << 20}, new long[] {0, 2 << 20, 64 << 20});

  @BeforeEach
  void writeLines() throws IOException {
    crawl = Files.createDirectory(directory.resolve("packed"));
    Path plain = Files.createDirectory(directory.resolve("plain"));
    try (OutputStream packed = packed(crawl.resolve("lines.tsv"));
        OutputStream out = Files.newOutputStream(plain.resolve("lines.tsv"))) {
      Random random = new Random(11);
      for (int i = 0; i < LINES; i++) {
        // Every hundredth line has the id of one before.
        byte[] line = line(i % 100 == 99 ? i - 50 : i, random).getBytes(US_ASCII);
        packed.write(line);
        out.write(line);
      }
    }
  }

  /** Stored, that it is large. */
  private static OutputStream packed(Path file) throws IOException {
    return new GZIPOutputStream(Files.newOutputStream(file)) {
      {
        def.setLevel(Deflater.NO_COMPRESSION);
      }
    };
  }

  /** The quick tier has fewer words, and more space between them so that files are large. */
  private static String line(int id, Random random) {
    StringBuilder line = new StringBuilder().append(id).append('\t');
    for (int words = random.nextInt(Tier.pick(50, 100)); words >= 0; words--) {
      line.append(Integer.toString(random.nextInt(3000), 36)).append(BETWEEN);
    }
    return line.append('\n').toString();
  }

  @Test
  void theIndexIsThatOfTheLinesWhateverTheThreadsAndTheMemory() throws Exception {
    SortedMap<String, Integer> expected = plain();
    for (int threads : Tier.pick(new int[] {5}, new int[] {1, 2, 5})) {
      for (long aheadBytes : AHEAD_BYTES) {
        Path target = directory.resolve("index-" + threads + "-" + aheadBytes);
        BuildReport report = build(crawl, target, threads, aheadBytes, Duplicates.KEEP);
        assertThat(report.documents()).isEqualTo(LINES);
        assertThat(report.skippedDocuments()).isZero();
        assertThat(IndexFilesHash.of(target)).isEqualTo(expected);
      }
    }
  }

  @Test
  void piecesWithDuplicatesAreReadAgainWithoutThem() throws Exception {
    Path alone = directory.resolve("alone");
    build(crawl, alone, 1, 0, Duplicates.SKIP);
    Path target = directory.resolve("without");
    BuildReport report = build(crawl, target, 3, 64 << 20, Duplicates.SKIP);
    assertThat(report.documents()).isEqualTo(LINES - LINES / 100);
    assertThat(IndexFilesHash.of(target)).isEqualTo(IndexFilesHash.of(alone));
  }

  @Test
  void aBuildThatGoesOnReadsOnlyThePiecesThatAreMissing() throws Exception {
    SortedMap<String, Integer> expected = plain();
    int sealed = 0;
    for (int renames = 10; sealed == 0; renames += 5) {
      faults.fail(Kind.RENAME, renames);
      BuildOptions options = options(crawl, system.through(output), 1);
      assertThatThrownBy(() -> build(options, new BuildProgress(), Start.RESTART))
          .hasStackTraceContaining("injected");
      faults.stop();
      sealed = sealedSplits();
    }
    int going = sealed;
    BuildReport report = build(output, Start.RESUME);
    assertThat(notices).anyMatch(line -> line.startsWith("resuming with %d of ".formatted(going)));
    assertThat(report.documents()).isEqualTo(LINES);
    assertThat(IndexFilesHash.of(output)).isEqualTo(expected);
  }

  @Test
  void aPieceThatFindsLessMemoryWhenItIsReadAgainHasTheSameDocuments() throws Exception {
    crawl = Files.createDirectory(directory.resolve("long"));
    try (OutputStream packed = packed(crawl.resolve("long.tsv"))) {
      byte[] words = "word".concat(" ".repeat(2000)).repeat(1300).getBytes(US_ASCII);
      for (int i = 0; i < 10; i++) {
        packed.write(((i == 3 ? 0 : i) + "\t").getBytes(US_ASCII));
        packed.write(words);
        packed.write('\n');
      }
    }
    Path alone = directory.resolve("alone");
    build(crawl, alone, 1, 0, Duplicates.SKIP);
    RecoveredState sealed = RecoveredState.none();
    for (int renames = 10; !sealed.isDropped(new Reading(1, 0)); renames++) {
      faults.fail(Kind.RENAME, renames);
      BuildOptions options = skipping(options(crawl, system.through(output), 1));
      assertThatThrownBy(() -> build(options, 64 << 20, Start.RESTART))
          .hasStackTraceContaining("injected");
      faults.stop();
      sealed = RecoveredState.read(journal());
    }
    BuildReport report = build(skipping(options(crawl, output, 1)), 0, Start.RESUME);
    assertThat(report.documents()).isEqualTo(9);
    assertThat(IndexFilesHash.of(output)).isEqualTo(IndexFilesHash.of(alone));
  }

  /**
   * One has the turn and wants more to be unpacked, others have read all of that and want the turn.
   */
  @Test
  void largeDocumentsThatWaitForTheirTurnDoNotWaitForMemory() throws Exception {
    Path large = Files.createDirectory(directory.resolve("large"));
    try (OutputStream packed = packed(large.resolve("large.tsv"))) {
      byte[] words = "word".concat(" ".repeat(2000)).repeat(300).getBytes(US_ASCII);
      for (int i = 0; i < 120; i++) {
        packed.write((i + "\t").getBytes(US_ASCII));
        packed.write(words);
        packed.write('\n');
      }
    }
    MemoryPlan plan = new MemoryPlan(1 << 30, 4 << 20, 1 << 20, 64 << 20, 0, 0, 6 << 20);
    Path target = directory.resolve("large-index");
    BuildReport report =
        new Indexing(options(large, target, 8), Target.ownIndex(), new BuildProgress(), plan).run();
    assertThat(report.documents()).isEqualTo(120);
  }

  private SortedMap<String, Integer> plain() throws Exception {
    Path target = directory.resolve("plain-index");
    build(directory.resolve("plain"), target, 2, 0, Duplicates.KEEP);
    return IndexFilesHash.of(target);
  }

  private BuildReport build(
      Path from, Path target, int threads, long aheadBytes, Duplicates duplicates)
      throws IOException, InterruptedException {
    BuildOptions options =
        options(from, target, threads).withSource(SourceOptions.DEFAULT, duplicates);
    return build(options, aheadBytes, Start.FRESH);
  }

  private BuildReport build(BuildOptions options, long aheadBytes, Start start)
      throws IOException, InterruptedException {
    MemoryPlan plan = new MemoryPlan(1 << 30, 4 << 20, 1 << 20, 256 << 20, 0, 0, aheadBytes);
    return new Indexing(options, Target.ownIndex(), new BuildProgress(), plan)
        .withRecovery(recovery(start))
        .run();
  }

  private static BuildOptions skipping(BuildOptions options) {
    return options.withSource(SourceOptions.DEFAULT, Duplicates.SKIP);
  }
}
