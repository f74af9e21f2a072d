package io.kmodel.indexer.indexing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.Tier;
import io.kmodel.indexer.equality.SampleDocuments;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.options.Store;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.source.SkipReason;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a build promises beside the content of its index. */
class IndexingTest {
  private static final int DOCUMENTS = Tier.pick(500, 1000);
  private static final long PLENTY = 64L << 20;

  /** So little that some runs wait in memory and others are written. */
  private static final long RUN_BYTES = Tier.pick(1 << 16, 1 << 17);

  @TempDir Path directory;
  private Path crawl = Path.of("");

  @BeforeEach
  void writeCrawl() throws IOException, InterruptedException {
    crawl = Files.createDirectory(directory.resolve("crawl"));
    Crawls.write(crawl, SampleDocuments.random(11, DOCUMENTS, 120));
  }

  @Test
  void theSameInputGivesTheSameBytesWhateverTheThreadsAndTheRuns() throws Exception {
    BuildReport one = build("one", 1, plan(PLENTY));
    SortedMap<String, Integer> expected = files(one);
    assertThat(expected).containsKeys("postings.docs", "postings.positions", "terms.dictionary");
    assertThat(files(build("two", 2, plan(PLENTY)))).isEqualTo(expected);
    assertThat(files(build("eight", 8, plan(PLENTY)))).isEqualTo(expected);
    // So little that a split is more than one run.
    BuildReport small = build("small", 2, plan(1 << 17));
    assertThat(small.runs()).isGreaterThan(one.runs());
    assertThat(files(small)).isEqualTo(expected);
    BuildReport tiny = build("tiny", 8, plan(1 << 16));
    assertThat(tiny.runs()).isGreaterThan(small.runs());
    assertThat(files(tiny)).isEqualTo(expected);
  }

  @Test
  void runsThatAreTooManyForOneMergeAreMergedInPassesToTheSameBytes() throws Exception {
    SortedMap<String, Integer> expected = files(build("one", 1, plan(PLENTY)));
    // 64 KiB of buffers for two threads: two runs at a time.
    BuildReport passes = build("passes", 2, new MemoryPlan(1 << 30, 1 << 20, 64 << 10, 256 << 20));
    assertThat(passes.runs()).isGreaterThan(4);
    assertThat(files(passes)).isEqualTo(expected);
  }

  @Test
  void runsThatWaitInMemoryAreMergedToTheSameBytes() throws Exception {
    SortedMap<String, Integer> expected = files(build("files", 1, plan(PLENTY)));
    BuildReport all =
        build("all", 2, new MemoryPlan(1 << 30, RUN_BYTES, 64 << 20, 256 << 20, 1 << 30));
    assertThat(files(all)).isEqualTo(expected);
    assertThat(bytes(all, "keep run")).isPositive();
    assertThat(bytes(all, "write run")).isZero();
    int mixed = 0;
    // How many are kept depends on how fast the threads are; only some near the border.
    for (int round = 0; mixed == 0 && round < 6; round++) {
      int step = round == 0 ? Tier.pick(20, 10) : 5;
      for (int percent = round == 0 ? 40 : 105;
          percent <= (round == 0 ? 200 : 165);
          percent += step) {
        // The first are kept until it is clear that not all have room; two files are merged at a
        // time.
        long room = bytes(all, "keep run") * percent / 100;
        MemoryPlan plan = new MemoryPlan(1 << 30, RUN_BYTES, 64 << 10, 256 << 20, room);
        BuildReport some = build("some-%d-%d".formatted(round, percent), 2, plan);
        assertThat(files(some)).isEqualTo(expected);
        assertThat(bytes(some, "keep run")).isLessThanOrEqualTo(room);
        mixed += bytes(some, "keep run") > 0 && bytes(some, "write run") > 0 ? 1 : 0;
      }
    }
    assertThat(mixed).isPositive();
  }

  private static long bytes(BuildReport report, String work) {
    return report.work().stream()
        .filter(done -> done.name().equals(work))
        .mapToLong(BuildReport.WorkDone::bytes)
        .sum();
  }

  @Test
  void whatIsLeftOutIsCountedByReason() throws Exception {
    Files.write(crawl.resolve("picture.png"), new byte[] {(byte) 0x89, 'P', 'N', 'G', 0, 1, 2, 0});
    Files.createSymbolicLink(crawl.resolve("link.html"), crawl.resolve("part-00/page-000000.html"));
    Files.write(crawl.resolve("damaged.html.gz"), new byte[] {0x1F, (byte) 0x8B, 8, 0, 1, 2, 3});
    BuildReport report = build("index", 2, plan(PLENTY));
    assertThat(report.skippedDocuments()).isEqualTo(3);
    assertThat(report.skipped())
        .containsOnlyKeys(
            SkipReason.BINARY.label(), SkipReason.NOT_A_FILE.label(), SkipReason.DAMAGED.label());
    assertThat(report.documents()).isEqualTo(DOCUMENTS);
    assertThat(BuildReport.read(directory.resolve("index"))).isEqualTo(report);
  }

  @Test
  void aDocumentThatFitsNoRunIsSkippedAndTheOthersAreIndexed() throws Exception {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 400_000; i++) {
      text.append(Integer.toString(i, 36)).append(' ');
    }
    Files.writeString(crawl.resolve("huge.txt"), text);
    BuildReport report = build("index", 2, plan(1 << 20));
    assertThat(report.skipped()).containsOnlyKeys(SkipReason.TOO_LARGE.label());
    assertThat(report.documents()).isEqualTo(DOCUMENTS);
  }

  @Test
  @Timeout(120)
  void documentsThatAreTooLargeForTheHeapHoldUpNobody() throws Exception {
    Path mixed = Files.createDirectory(directory.resolve("mixed"));
    byte[] large = "many words ".repeat(100_000).getBytes(StandardCharsets.US_ASCII);
    byte[] larger = "more words ".repeat(300_000).getBytes(StandardCharsets.US_ASCII);
    for (int i = 0; i < 8; i++) {
      Files.write(mixed.resolve("large-%d.txt".formatted(i)), large);
      Files.write(mixed.resolve("larger-%d.txt".formatted(i)), larger);
      try (OutputStream gzip =
          new GZIPOutputStream(Files.newOutputStream(mixed.resolve("larger-%d.gz".formatted(i))))) {
        gzip.write(larger);
      }
    }
    // Room for one document of 1.4 MB, or four of 170 KB side by side.
    MemoryPlan plan = new MemoryPlan(1 << 30, 32 << 20, 64 << 20, 32 << 20);
    BuildReport report =
        new Indexing(
                options(mixed, "index", 4, false), Target.ownIndex(), new BuildProgress(), plan)
            .run();
    assertThat(report.documents()).isEqualTo(8);
    assertThat(report.skipped()).containsOnlyKeys(SkipReason.TOO_LARGE.label());
    assertThat(report.skippedDocuments()).isEqualTo(16);
  }

  @Test
  void anEmptyCrawlGivesAnEmptyIndex() throws Exception {
    Path empty = Files.createDirectory(directory.resolve("empty"));
    BuildReport report =
        new Indexing(
                options(empty, "index", 2, false),
                Target.ownIndex(),
                new BuildProgress(),
                plan(PLENTY))
            .run();
    assertThat(report.documents()).isZero();
    try (InvertedIndex index = InvertedIndex.open(directory.resolve("index"))) {
      assertThat(index.documentCount()).isZero();
    }
  }

  @Test
  void anIndexIsOnlyReplacedWhenAskedTo() throws Exception {
    build("index", 2, plan(PLENTY));
    assertThatThrownBy(() -> build("index", 2, plan(PLENTY)))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("--overwrite");
    Files.delete(crawl.resolve("part-00/page-000000.html"));
    BuildReport second =
        new Indexing(
                options(crawl, "index", 2, true),
                Target.ownIndex(),
                new BuildProgress(),
                plan(PLENTY))
            .run();
    assertThat(second.documents()).isEqualTo(DOCUMENTS - 1);
    try (InvertedIndex index = InvertedIndex.open(directory.resolve("index"))) {
      assertThat(index.documentCount()).isEqualTo(DOCUMENTS - 1);
    }
  }

  @Test
  void anIndexWithOtherFilesBesideItIsNotReplaced() throws Exception {
    build("index", 2, plan(PLENTY));
    Files.writeString(directory.resolve("index/thesis.txt"), "years of work");
    assertThatThrownBy(
            () ->
                new Indexing(
                        options(crawl, "index", 2, true),
                        Target.ownIndex(),
                        new BuildProgress(),
                        plan(PLENTY))
                    .run())
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("not an index");
    assertThat(directory.resolve("index/thesis.txt")).hasContent("years of work");
  }

  @Test
  void anIndexInsideTheCrawlIsNotPartOfIt() throws Exception {
    BuildReport first =
        new Indexing(
                options(directory, "crawl/part-00/index", 2, false),
                Target.ownIndex(),
                new BuildProgress(),
                plan(PLENTY))
            .run();
    assertThat(first.documents()).isEqualTo(DOCUMENTS);
    assertThat(first.skippedDocuments()).isZero();
    BuildReport second =
        new Indexing(
                options(directory, "crawl/part-00/index", 2, true),
                Target.ownIndex(),
                new BuildProgress(),
                plan(PLENTY))
            .run();
    assertThat(second.documents()).isEqualTo(DOCUMENTS);
    assertThat(second.skippedDocuments()).isZero();
  }

  @Test
  void anIndexThatWasOnItsWayOutWhenTheProcessDiedIsPutBack() throws Exception {
    build("index", 2, plan(PLENTY));
    Path work = Files.createDirectory(directory.resolve("index.building"));
    Files.writeString(work.resolve("lock"), "process 1 on a machine, since long ago\n");
    Files.move(directory.resolve("index"), work.resolve("replaced"));
    assertThatThrownBy(() -> build("index", 2, plan(PLENTY)))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("--overwrite");
    try (InvertedIndex index = InvertedIndex.open(directory.resolve("index"))) {
      assertThat(index.documentCount()).isEqualTo(DOCUMENTS);
    }
  }

  @Test
  void pagesReadByJsoupGiveTheSameBytes() throws Exception {
    SortedMap<String, Integer> expected = files(build("fast", 2, plan(PLENTY)));
    BuildOptions fast = options(crawl, "jsoup", 2, false);
    BuildOptions jsoup =
        new BuildOptions(
            fast.roots(),
            fast.source(),
            fast.duplicates(),
            fast.output(),
            false,
            HtmlMode.JSOUP,
            fast.text(),
            fast.resources());
    BuildReport report =
        new Indexing(jsoup, Target.ownIndex(), new BuildProgress(), plan(PLENTY)).run();
    assertThat(report.html().jsoup()).isEqualTo(DOCUMENTS);
    assertThat(report.html().fast()).isZero();
    assertThat(files(report)).isEqualTo(expected);
  }

  @Test
  void aDirectoryThatIsNoIndexIsNeverReplaced() throws Exception {
    Path precious = Files.createDirectory(directory.resolve("index"));
    Files.writeString(precious.resolve("thesis.txt"), "years of work");
    assertThatThrownBy(
            () ->
                new Indexing(
                        options(crawl, "index", 2, true),
                        Target.ownIndex(),
                        new BuildProgress(),
                        plan(PLENTY))
                    .run())
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("not an index");
    assertThat(precious.resolve("thesis.txt")).hasContent("years of work");
  }

  @Test
  void nothingIsLeftBesideTheIndex() throws Exception {
    build("index", 2, plan(PLENTY));
    try (Stream<Path> entries = Files.list(directory)) {
      assertThat(entries.map(e -> e.getFileName().toString()))
          .containsExactlyInAnyOrder("crawl", "index");
    }
  }

  @Test
  void aBuildThatFailsLeavesNothing() throws IOException {
    BuildOptions options = options(directory.resolve("absent"), "index", 2, false);
    assertThatThrownBy(
            () -> new Indexing(options, Target.ownIndex(), new BuildProgress(), plan(PLENTY)).run())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("absent");
    try (Stream<Path> entries = Files.list(directory)) {
      assertThat(entries.map(e -> e.getFileName().toString())).containsExactly("crawl");
    }
  }

  @Test
  void aBudgetThatIsTooSmallSaysWhatToDo() {
    assertThatThrownBy(() -> MemoryPlan.of(new BuildOptions.Resources(64, 1L << 30), 512L << 20))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--memory")
        .hasMessageContaining("--threads");
    assertThatThrownBy(() -> new BuildOptions.Resources(1, 1 << 20))
        .hasMessage("memory must be at least 256 MiB; got 1 MiB");
  }

  private BuildReport build(String output, int threads, MemoryPlan plan)
      throws IOException, InterruptedException {
    return new Indexing(
            options(crawl, output, threads, false), Target.ownIndex(), new BuildProgress(), plan)
        .run();
  }

  private BuildOptions options(Path from, String output, int threads, boolean overwrite) {
    return new BuildOptions(
        ImmutableList.of(from),
        directory.resolve(output),
        overwrite,
        HtmlMode.FAST,
        "standard",
        true,
        Store.CONTENTS,
        new BuildOptions.Resources(threads, 4L << 30));
  }

  private static MemoryPlan plan(long runBytes) {
    return new MemoryPlan(1 << 30, runBytes, 64 << 20, 256 << 20);
  }

  /** Every file of an index but the report, by the hash of its bytes. */
  private static SortedMap<String, Integer> files(BuildReport report) throws IOException {
    SortedMap<String, Integer> files = new TreeMap<>();
    try (Stream<Path> entries = Files.list(Path.of(report.output()))) {
      for (Path file : (Iterable<Path>) entries::iterator) {
        if (!BuildReport.isReport(file)) {
          files.put(file.getFileName().toString(), Arrays.hashCode(Files.readAllBytes(file)));
        }
      }
    }
    return files;
  }
}
