package io.kmodel.indexer.indexing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.equality.IndexEquality;
import io.kmodel.indexer.export.lucene.IndexCheck;
import io.kmodel.indexer.faults.Faults;
import io.kmodel.indexer.faults.FaultyFileSystem;
import io.kmodel.indexer.indexing.journal.Reading;
import io.kmodel.indexer.indexing.journal.RecoveredState;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.Duplicates;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.options.NearDuplicates;
import io.kmodel.indexer.indexing.options.NearDuplicates.Policy;
import io.kmodel.indexer.indexing.options.Recovery;
import io.kmodel.indexer.indexing.options.Recovery.Start;
import io.kmodel.indexer.indexing.options.Store;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.SourceOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Builds of a collection with near copies, compared with builds of one without them. */
class NearDuplicatesTest {
  private static final int DOCUMENTS = 240;
  private static final NearDuplicates SKIP = new NearDuplicates(Policy.SKIP, 0.8);

  @TempDir Path directory;

  /** With near copies, and without. */
  private Path crawl = Path.of("");

  private Path originals = Path.of("");
  private final List<String> copies = new ArrayList<>();

  @BeforeEach
  void write() throws IOException {
    crawl = Files.createDirectory(directory.resolve("crawl"));
    originals = Files.createDirectory(directory.resolve("originals"));
    Random random = new Random(9);
    List<String> texts = new ArrayList<>();
    StringBuilder all = new StringBuilder();
    StringBuilder kept = new StringBuilder();
    for (int i = 0; i < DOCUMENTS; i++) {
      boolean isCopy = i % 5 == 4;
      String text = isCopy ? texts.get(random.nextInt(texts.size())) : text(random);
      if (isCopy) {
        text = text.replaceFirst("word[0-9]+", "other" + i);
        copies.add("d" + i);
      } else {
        texts.add(text);
      }
      String line = "{\"id\": \"d%d\", \"contents\": \"%s\"}%n".formatted(i, text);
      all.append(line);
      kept.append(isCopy ? "" : line);
      if (i % 60 == 59) {
        Files.writeString(crawl.resolve("part-%d.jsonl".formatted(i / 60)), all);
        Files.writeString(originals.resolve("part-%d.jsonl".formatted(i / 60)), kept);
        all.setLength(0);
        kept.setLength(0);
      }
    }
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder("a page");
    for (int i = 0; i < 150; i++) {
      text.append(" word").append(random.nextInt(5000));
    }
    return text.toString();
  }

  @Test
  void theIndexHasTheBytesOfOneWithoutTheNearCopies() throws Exception {
    BuildReport without = build(originals, "without", 1, NearDuplicates.KEEP);
    for (int threads : new int[] {1, 3}) {
      BuildReport skipping = build(crawl, "skip-" + threads, threads, SKIP);
      assertThat(skipping.documents()).isEqualTo(DOCUMENTS - copies.size());
      assertThat(skipping.skipped())
          .containsExactlyEntriesOf(
              Map.of(SkipReason.NEAR_DUPLICATE.label(), (long) copies.size()));
      assertThat(files(skipping)).isEqualTo(files(without));
    }
    assertThat(
            files(
                build(
                    crawl,
                    "small",
                    2,
                    SKIP,
                    new MemoryPlan(1 << 30, 1 << 17, 64 << 20, 256 << 20))))
        .isEqualTo(files(without));
  }

  @Test
  void allPairsAreListedWithTheirSimilarity() throws Exception {
    BuildReport skipping = build(crawl, "skip", 2, SKIP);
    List<String> lines = Files.readAllLines(directory.resolve("skip/skipped.jsonl"));
    assertThat(lines).hasSize(copies.size());
    for (int i = 0; i < lines.size(); i++) {
      assertThat(lines.get(i))
          .contains("\"document\":\"" + copies.get(i) + "\"", "\"reason\":\"near duplicate\"")
          .containsPattern("\"file\":\".*part-\\d.jsonl\",\"offset\":\\d+")
          .containsPattern(
              "\"detail\":\"similarity (0.[89]\\d|1.00) to d\\d+ in .*part-\\d.jsonl at byte \\d+\"");
    }
    assertThat(skipping.examples().get(SkipReason.NEAR_DUPLICATE.label()))
        .hasSize(10)
        .allMatch(example -> example.contains("similarity"));
    BuildReport reporting = build(crawl, "report", 2, new NearDuplicates(Policy.REPORT, 0.8));
    assertThat(Files.readString(directory.resolve("report/skipped.jsonl")))
        .isEqualTo(Files.readString(directory.resolve("skip/skipped.jsonl")));
    assertThat(reporting.noted()).containsEntry(SkipReason.SIMILAR.label(), (long) copies.size());
    assertThat(reporting.complete()).isTrue();
    assertThat(files(reporting)).isEqualTo(files(build(crawl, "keep", 2, NearDuplicates.KEEP)));
  }

  @Test
  void documentsWithTheIdOfAnEarlierOneAreLeftOutFirst() throws Exception {
    Files.writeString(
        crawl.resolve("z.jsonl"),
        """
        {"id": "d0", "contents": "these words are in no other document at all"}
        {"id": "last", "contents": "these words are in no other document at all"}
        {"id": "short", "contents": "two words"}
        {"id": "shorter", "contents": "two"}
        {"id": "same", "contents": "Two words!"}
        """);
    BuildOptions options =
        options(crawl, directory.resolve("index"), 2, SKIP)
            .withSource(SourceOptions.DEFAULT, Duplicates.SKIP);
    BuildReport report =
        new Indexing(options, Target.ownIndex(), new BuildProgress(), plan()).run();
    assertThat(report.skipped())
        .containsEntry(SkipReason.DUPLICATE.label(), 1L)
        .containsEntry(SkipReason.NEAR_DUPLICATE.label(), copies.size() + 1L);
    assertThat(Files.readString(directory.resolve("index/skipped.jsonl")))
        .contains("\"document\":\"same\"", "\"detail\":\"similarity 1.00 to short in ")
        .doesNotContain("\"document\":\"last\"", "\"document\":\"shorter\"");
  }

  @Test
  void aLuceneIndexLeavesOutTheSameDocuments() throws Exception {
    for (int segments : new int[] {Target.SEGMENT_PER_RUN, 1}) {
      Path skipping = lucene(crawl, segments, SKIP);
      Path without = lucene(originals, segments, NearDuplicates.KEEP);
      try (Directory ours = FSDirectory.open(skipping);
          Directory others = FSDirectory.open(without);
          DirectoryReader actual = DirectoryReader.open(ours);
          DirectoryReader expected = DirectoryReader.open(others)) {
        assertThat(actual.maxDoc()).isEqualTo(DOCUMENTS - copies.size());
        IndexEquality.assertSame(expected, actual);
      }
    }
  }

  /** With --duplicates keep, only the place tells which of two documents with an id is meant. */
  @Test
  void theEarlierDocumentIsNamedByItsPlace() throws Exception {
    String line = "{\"id\": \"twin\", \"contents\": \"%s\"}%n".formatted(text(new Random(2)));
    Path file = crawl.resolve("z.jsonl");
    Files.writeString(file, line + line);
    build(crawl, "twins", 2, SKIP);
    assertThat(Files.readAllLines(directory.resolve("twins/skipped.jsonl")).getLast())
        .contains("\"document\":\"twin\"", "\"offset\":" + line.length())
        .contains("similarity 1.00 to twin in " + file + " at byte 0");
  }

  @Test
  void aBuildOfMoreDocumentsThanCanBeComparedFailsWhileTheyAreRead() throws Exception {
    MemoryPlan plan = new MemoryPlan(1 << 30, 1 << 17, 64 << 20, 256 << 20);
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 20_000; i++) {
      lines.append("{\"id\": \"%d\", \"contents\": \"heron %d\"}%n".formatted(i, i));
    }
    Path many = Files.createDirectory(directory.resolve("many"));
    Files.writeString(many.resolve("many.jsonl"), lines);
    assertThatThrownBy(() -> build(many, "index", 1, SKIP, plan))
        .isInstanceOf(BuildException.class)
        .hasMessageMatching("comparing 16,\\d{3} documents takes .* raise --memory[^$]*");
  }

  /** Fails before the split is read again, while it is, and later. */
  @Test
  void aBuildThatIsInterruptedAndResumedLeavesOutTheSame() throws Exception {
    BuildReport undisturbed = build(crawl, "undisturbed", 1, SKIP);
    Faults faults = new Faults();
    int before = 0;
    int during = 0;
    int later = 0;
    for (int rename = 1; fails(faults, rename); rename += Faults.stride(4)) {
      RecoveredState saved = RecoveredState.read(journal(rename));
      if (!saved.isDropped(new Reading(0, 0))) {
        before++;
      } else if (saved.splits() == 0) {
        during++;
      } else {
        later++;
      }
      Path output = output(rename);
      if (saved.splits() > 0) {
        BuildOptions other = options(crawl, output, 2, new NearDuplicates(Policy.SKIP, 0.9));
        assertThatThrownBy(() -> build(other, Start.RESUME))
            .hasMessageContaining("options: --near-duplicate-similarity 0.9 (was 0.8); use");
        BuildOptions without = options(crawl, output, 2, NearDuplicates.KEEP);
        assertThatThrownBy(() -> build(without, Start.RESUME))
            .hasMessageContaining("options: --near-duplicates keep (was skip); use the same");
      }
      build(options(crawl, output, 1, SKIP), Start.RESUME);
      assertThat(IndexFilesHash.of(output))
          .isEqualTo(IndexFilesHash.of(Path.of(undisturbed.output())));
    }
    assertThat(List.of(before, during, later)).allMatch(count -> count > 0);
  }

  /** Whether a build fails of which this rename does. */
  private boolean fails(Faults faults, int rename) throws InterruptedException {
    Path output = new FaultyFileSystem(faults).through(output(rename));
    faults.fail(Faults.Kind.RENAME, rename);
    try {
      build(options(crawl, output, 2, SKIP), Start.FRESH);
      assertThat(faults.injected()).isZero();
      return false;
    } catch (IOException e) {
      assertThat(e).hasStackTraceContaining("injected");
      return true;
    } finally {
      faults.stop();
    }
  }

  private Path output(int rename) {
    return directory.resolve("index-" + rename);
  }

  private Path journal(int rename) {
    return directory.resolve("index-%d.building".formatted(rename)).resolve("journal");
  }

  private Path lucene(Path from, int segments, NearDuplicates near) throws Exception {
    Path output = directory.resolve("lucene-%s-%d".formatted(from.getFileName(), segments));
    new Indexing(
            options(from, output, 2, near),
            Target.lucene(segments, IndexCheck.SLOW),
            new BuildProgress(),
            plan())
        .run();
    return output;
  }

  private BuildReport build(Path from, String output, int threads, NearDuplicates near)
      throws Exception {
    return build(from, output, threads, near, plan());
  }

  private BuildReport build(
      Path from, String output, int threads, NearDuplicates near, MemoryPlan plan)
      throws Exception {
    BuildOptions options = options(from, directory.resolve(output), threads, near);
    return new Indexing(options, Target.ownIndex(), new BuildProgress(), plan).run();
  }

  private static BuildReport build(BuildOptions options, Start start)
      throws IOException, InterruptedException {
    return new Indexing(options, Target.ownIndex(), new BuildProgress(), plan())
        .withRecovery(new Recovery(start, Duration.ZERO, warning -> {}))
        .run();
  }

  private static MemoryPlan plan() {
    return new MemoryPlan(1 << 30, 8 << 20, 64 << 20, 256 << 20);
  }

  /** All but skipped.jsonl, which lists what is left out. */
  private static SortedMap<String, Integer> files(BuildReport report) throws IOException {
    SortedMap<String, Integer> files = IndexFilesHash.of(Path.of(report.output()));
    assertThat(files).containsKeys("index.json", "documents.data", "postings.positions");
    files.remove(BuildReport.SKIPPED_FILE_NAME);
    return files;
  }

  private static BuildOptions options(Path from, Path output, int threads, NearDuplicates near) {
    return new BuildOptions(
            ImmutableList.of(from),
            output,
            false,
            HtmlMode.FAST,
            "standard",
            true,
            Store.CONTENTS,
            new BuildOptions.Resources(threads, 1L << 30))
        .withNearDuplicates(near);
  }
}
