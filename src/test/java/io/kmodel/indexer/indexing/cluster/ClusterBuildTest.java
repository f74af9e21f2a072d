package io.kmodel.indexer.indexing.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import com.google.common.hash.Hashing;
import io.kmodel.indexer.equality.SampleDocuments;
import io.kmodel.indexer.indexing.Crawls;
import io.kmodel.indexer.indexing.IndexFilesHash;
import io.kmodel.indexer.indexing.Indexing;
import io.kmodel.indexer.indexing.Target;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.DuplicateIdException;
import io.kmodel.indexer.indexing.options.Duplicates;
import io.kmodel.indexer.indexing.options.IndexedText;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.options.NearDuplicates;
import io.kmodel.indexer.indexing.options.Recovery;
import io.kmodel.indexer.indexing.options.Recovery.Start;
import io.kmodel.indexer.indexing.options.Store;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.source.Format;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.warc.Warcs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.netpreserve.jwarc.WarcCompression;

/**
 * A cluster makes the index that one machine makes, byte for byte, whatever becomes of its tasks.
 */
class ClusterBuildTest {
  private static final long SPLIT_BYTES = 20_000;

  /** Nothing is copied from a shared directory. */
  private static final Path NO_SCRATCH = Path.of("no-such-directory");

  @TempDir Path directory;
  private final List<Path> roots = new ArrayList<>();
  private final List<String> messages = Collections.synchronizedList(new ArrayList<>());

  /**
   * Pages, lines, a file given twice by name, one that is skipped, and a directory without files.
   */
  @BeforeEach
  void write() throws Exception {
    Path crawl = Files.createDirectory(directory.resolve("crawl"));
    Crawls.write(crawl, SampleDocuments.random(7, 150, 60));
    for (int file = 0; file < 3; file++) {
      StringBuilder lines = new StringBuilder();
      for (int line = 0; line < 200; line++) {
        lines.append(
            "{\"id\":\"%d\",\"contents\":\"the connected words %d of %d\"}\n"
                .formatted(100 * file + line, line, file));
      }
      Files.writeString(crawl.resolve("lines-%d.jsonl".formatted(file)), lines);
    }
    Files.write(crawl.resolve("broken.html.gz"), new byte[] {0x1f, (byte) 0x8b, 8, 0, 1, 2, 3});
    roots.add(crawl);
    roots.add(crawl.resolve("lines-0.jsonl"));
    roots.add(crawl.resolve("lines-2.jsonl"));
    roots.add(Files.createDirectory(directory.resolve("empty")));
  }

  private BuildOptions options(String output, Duplicates duplicates) {
    return new BuildOptions(
            ImmutableList.copyOf(roots),
            directory.resolve(output),
            false,
            HtmlMode.FAST,
            "standard",
            true,
            Store.CONTENTS,
            new BuildOptions.Resources(2, BuildOptions.Resources.MIN_MEMORY_BYTES))
        .withSource(SourceOptions.DEFAULT, duplicates);
  }

  private BuildReport local(BuildOptions options) throws Exception {
    MemoryPlan plan = new MemoryPlan(1 << 28, 1 << 25, 64 << 20, 64 << 20);
    return new Indexing(options, Target.ownIndex(), new BuildProgress(), plan).run();
  }

  private BuildReport cluster(BuildOptions options, TaskEngine engine, Start start)
      throws Exception {
    return cluster(options, engine, start, SPLIT_BYTES);
  }

  private BuildReport cluster(BuildOptions options, TaskEngine engine, Start start, long bytes)
      throws Exception {
    Recovery recovery = new Recovery(start, Duration.ofSeconds(30), messages::add);
    return new ClusterBuild(options, engine, bytes, recovery, new BuildProgress()).run();
  }

  private void assertSame(String made, String expected) throws IOException {
    assertThat(IndexFilesHash.of(directory.resolve(made)))
        .isEqualTo(IndexFilesHash.of(directory.resolve(expected)));
    assertThat(directory.resolve(made + ".cluster")).doesNotExist();
  }

  private List<Path> splits(String output) throws IOException {
    try (Stream<Path> all = Files.list(directory.resolve(output + ".cluster/splits"))) {
      return all.sorted().toList();
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 3000", "2, 20000", "3, 1000000"})
  void theIndexAndItsReportAreThoseOfOneMachine(int threads, long splitBytes) throws Exception {
    BuildReport expected = local(options("whole", Duplicates.KEEP));
    BuildReport made =
        cluster(
            options("made", Duplicates.KEEP),
            new ThreadEngine(threads, NO_SCRATCH),
            Start.FRESH,
            splitBytes);
    assertSame("made", "whole");
    assertThat(made)
        .usingRecursiveComparison()
        .ignoringFields(
            "output", "seconds", "runs", "peakMemoryBytes", "sorting", "oneCore", "phases", "work")
        .ignoringFields("execution")
        .isEqualTo(expected);
    assertThat(BuildReport.read(directory.resolve("made"))).isEqualTo(made);
  }

  @Test
  void documentsWithIdsOfOtherSplitsAreLeftOut() throws Exception {
    BuildReport expected = local(options("whole", Duplicates.SKIP));
    BuildReport made =
        cluster(options("made", Duplicates.SKIP), new ThreadEngine(2, NO_SCRATCH), Start.FRESH);
    assertSame("made", "whole");
    assertThat(made.skipped()).isEqualTo(expected.skipped()).containsKey("duplicate id");
  }

  @Test
  void duplicatesCanBeErrors() throws IOException {
    BuildOptions options = options("made", Duplicates.ERROR);
    assertThatThrownBy(() -> cluster(options, new ThreadEngine(1, NO_SCRATCH), Start.FRESH))
        .isInstanceOf(DuplicateIdException.class)
        .hasMessageContaining("has the id of an earlier document");
    assertThat(directory.resolve("made.cluster")).doesNotExist();
    assertThat(messages).isEmpty();
  }

  @Test
  void duplicatesInOtherSplitsAreErrorsToo() {
    roots.removeFirst();
    roots.add(roots.getFirst());
    BuildOptions options = options("made", Duplicates.ERROR);
    assertThatThrownBy(() -> cluster(options, new ThreadEngine(1, NO_SCRATCH), Start.FRESH, 1000))
        .isInstanceOf(DuplicateIdException.class)
        .hasMessageContaining("lines-0.jsonl has the id of an earlier one");
  }

  @Test
  void aCrawlWithoutFilesGivesAnEmptyIndex() throws Exception {
    roots.clear();
    roots.add(directory.resolve("empty"));
    local(options("whole", Duplicates.KEEP));
    cluster(options("made", Duplicates.KEEP), new ThreadEngine(1, NO_SCRATCH), Start.FRESH);
    assertSame("made", "whole");
  }

  /** Fails at first, runs some tasks twice, and takes the result of either attempt. */
  private static final class FlakyEngine implements TaskEngine {
    private final Random choice = new Random(5);

    @Override
    public Path scratch() {
      return NO_SCRATCH;
    }

    @Override
    public int slots() {
      return 2;
    }

    @Override
    public void run(String stage, List<String> tasks, Results results)
        throws IOException, InterruptedException {
      List<String> shuffled = new ArrayList<>(tasks);
      Collections.shuffle(shuffled, choice);
      for (String task : shuffled) {
        String first = Tasks.run(task, 1, NO_SCRATCH);
        String second = Tasks.run(task, 1, NO_SCRATCH);
        assertThat(first).isNotEqualTo(second);
        results.accept(choice.nextBoolean() ? first : second);
        // A loser that ends late.
        Tasks.run(task, 1, NO_SCRATCH);
      }
    }
  }

  @Test
  void attemptsThatDoNotCountChangeNothing() throws Exception {
    local(options("whole", Duplicates.SKIP));
    cluster(options("made", Duplicates.SKIP), new FlakyEngine(), Start.FRESH);
    assertSame("made", "whole");
  }

  /** Passes tasks on after something was done to them. */
  private static final class ChangingEngine implements TaskEngine {
    private final String stage;
    private final Consumer<List<String>> change;

    ChangingEngine(String stage, Consumer<List<String>> change) {
      this.stage = stage;
      this.change = change;
    }

    @Override
    public Path scratch() {
      return NO_SCRATCH;
    }

    @Override
    public int slots() {
      return 1;
    }

    @Override
    public void run(String now, List<String> tasks, Results results)
        throws IOException, InterruptedException {
      List<String> changed = new ArrayList<>(tasks);
      if (now.equals(stage)) {
        change.accept(changed);
      }
      new ThreadEngine(1, NO_SCRATCH).run(now, changed, results);
    }
  }

  /** The comparison can fail: here two ranges have changed places. */
  @Test
  void rangesInAnotherOrderGiveNoIndex() throws Exception {
    local(options("whole", Duplicates.KEEP));
    TaskEngine engine =
        new ChangingEngine(
            "merge",
            tasks -> {
              String first = tasks.getFirst();
              tasks.set(0, tasks.get(1).replace("\"number\":1,", "\"number\":0,"));
              tasks.set(1, first.replace("\"number\":0,", "\"number\":1,"));
            });
    assertThatThrownBy(() -> cluster(options("made", Duplicates.KEEP), engine, Start.FRESH))
        .hasMessageContaining("out of order");
    assertThat(directory.resolve("made")).doesNotExist();
  }

  /** The same: here a split is left out. */
  @Test
  void anIndexWithoutASplitIsAnotherOne() throws Exception {
    local(options("whole", Duplicates.KEEP));
    roots.removeLast();
    roots.removeLast();
    cluster(options("made", Duplicates.KEEP), new ThreadEngine(1, NO_SCRATCH), Start.FRESH);
    assertThat(IndexFilesHash.of(directory.resolve("made")))
        .isNotEqualTo(IndexFilesHash.of(directory.resolve("whole")));
  }

  private TaskEngine stoppedAt(String stage, Consumer<List<String>> before) {
    return new ChangingEngine(
        stage,
        tasks -> {
          before.accept(tasks);
          throw new IllegalStateException("the cluster is gone");
        });
  }

  private void interrupt(Duplicates duplicates, Consumer<List<String>> before) {
    assertThatThrownBy(
            () -> cluster(options("made", duplicates), stoppedAt("merge", before), Start.FRESH))
        .hasMessage("the cluster is gone");
    assertThat(messages).singleElement().asString().contains("--resume continues from there");
    messages.clear();
  }

  private void resume(Duplicates duplicates, int expectedTasks) throws Exception {
    List<String> inverted = new ArrayList<>();
    TaskEngine engine = new ChangingEngine("invert", inverted::addAll);
    cluster(options("made", duplicates), engine, Start.RESUME);
    assertThat(inverted).hasSize(expectedTasks);
    local(options("whole", duplicates));
    assertSame("made", "whole");
  }

  @Test
  void aDriverThatWasStoppedBetweenTheStagesGoesOnWithoutInvertingAgain() throws Exception {
    interrupt(Duplicates.SKIP, tasks -> {});
    assertThatThrownBy(
            () ->
                cluster(
                    options("made", Duplicates.SKIP), new ThreadEngine(1, NO_SCRATCH), Start.FRESH))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("finished work of an interrupted build");
    resume(Duplicates.SKIP, 0);
  }

  @Test
  void aBuildThatFinishedNoSplitLeavesNothing() throws Exception {
    TaskEngine gone = stoppedAt("invert", tasks -> {});
    assertThatThrownBy(() -> cluster(options("made", Duplicates.SKIP), gone, Start.FRESH))
        .hasMessage("the cluster is gone");
    assertThat(messages).isEmpty();
    assertThat(directory.resolve("made.cluster")).doesNotExist();
    // As if the driver had been killed then.
    Path work = Files.createDirectories(directory.resolve("made.cluster"));
    Files.writeString(work.resolve("lock"), "process 1, which was killed");
    Files.writeString(work.resolve("plan.json"), "{\"options\":{},\"splitBytes\":1}");
    cluster(options("made", Duplicates.KEEP), new ThreadEngine(1, NO_SCRATCH), Start.FRESH);
    local(options("whole", Duplicates.KEEP));
    assertSame("made", "whole");
  }

  @Test
  void anotherCommandDeletesNothing() throws Exception {
    interrupt(Duplicates.KEEP, tasks -> {});
    Path left = Files.createDirectory(directory.resolve("made.cluster/splits/000001-left"));
    assertThatThrownBy(
            () ->
                new ClusterBuild(
                        options("made", Duplicates.SKIP),
                        new ThreadEngine(1, NO_SCRATCH),
                        0,
                        new Recovery(Start.RESUME, Duration.ofSeconds(30), messages::add),
                        new BuildProgress())
                    .withoutOrphans(Duration.ZERO)
                    .run())
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("duplicates");
    assertThat(left).exists();
    assertThat(messages).isEmpty();
  }

  @Test
  void damagedSplitsAreInvertedAgainAndPartsOfResultsPassedOver() throws Exception {
    interrupt(Duplicates.KEEP, tasks -> {});
    Path damaged = splits("made").get(1).resolve("postings.docs");
    byte[] bytes = Files.readAllBytes(damaged);
    bytes[bytes.length / 2] ^= 1;
    Files.write(damaged, bytes);
    Path part = directory.resolve("made.cluster/sealed/000002.part");
    Files.writeString(part, "split {\"number\":2,");
    resume(Duplicates.KEEP, 1);
    assertThat(messages).singleElement().asString().contains("is damaged and will be made again");
  }

  @Test
  void aSplitThatWasDamagedBetweenTheStagesIsAnErrorAndItsMergeCanBeResumed() throws Exception {
    TaskEngine engine =
        new ChangingEngine(
            "merge",
            tasks -> {
              try {
                Path docs = splits("made").get(1).resolve("postings.docs");
                Files.write(docs, new byte[10]);
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
    assertThatThrownBy(() -> cluster(options("made", Duplicates.KEEP), engine, Start.FRESH))
        .hasMessageContaining("postings.docs")
        .hasMessageContaining("--resume makes it again");
    assertThat(directory.resolve("made")).doesNotExist();
    resume(Duplicates.KEEP, 1);
  }

  @Test
  void whatFailedTasksLeftBehindIsDeletedByAge() throws Exception {
    interrupt(Duplicates.KEEP, tasks -> {});
    List<Path> kept = splits("made");
    Path place = directory.resolve("made.cluster/splits");
    Path old = Files.createDirectory(place.resolve("000001-old"));
    Files.writeString(old.resolve("postings.docs"), "half of it");
    Path recent = Files.createDirectory(place.resolve("000001-recent"));
    Path recentFile = Files.writeString(recent.resolve("postings.docs"), "half of it");
    FileTime yesterday = FileTime.from(Instant.now().minus(Duration.ofDays(1)));
    try (Stream<Path> all = Files.walk(place)) {
      for (Path path : (Iterable<Path>) all::iterator) {
        if (!path.equals(recentFile)) {
          Files.setLastModifiedTime(path, yesterday);
        }
      }
    }
    assertThatThrownBy(
            () ->
                new ClusterBuild(
                        options("made", Duplicates.KEEP),
                        stoppedAt("merge", tasks -> {}),
                        0,
                        new Recovery(Start.RESUME, Duration.ofSeconds(30), messages::add),
                        new BuildProgress())
                    .withoutOrphans(Duration.ofHours(2))
                    .run())
        .hasMessage("the cluster is gone");
    assertThat(messages).contains("deleted 1 abandoned split");
    assertThat(recentFile).exists();
    assertThat(splits("made")).containsAll(kept).contains(recent).doesNotContain(old);
    resume(Duplicates.KEEP, 0);
  }

  /** A driver that was killed after the index had got its name. */
  @Test
  void aBuildThatOnlyHadToCleanUpIsComplete() throws Exception {
    BuildReport made =
        cluster(options("made", Duplicates.KEEP), new ThreadEngine(1, NO_SCRATCH), Start.FRESH);
    Path work = Files.createDirectories(directory.resolve("made.cluster"));
    String mark =
        Hashing.sha256()
            .hashBytes(Files.readAllBytes(directory.resolve("made/index.json")))
            .toString();
    Files.writeString(work.resolve("lock"), "process 1, which was killed");
    Files.writeString(work.resolve("complete"), mark);
    Files.writeString(work.resolve("plan.json"), "{\"options\":{},\"splitBytes\":1}");
    TaskEngine none = stoppedAt("invert", tasks -> {});
    assertThat(cluster(options("made", Duplicates.KEEP), none, Start.RESUME)).isEqualTo(made);
    assertThat(work).doesNotExist();
    assertThat(messages).singleElement().asString().endsWith("made was already complete");
    Files.createDirectories(work);
    Files.writeString(work.resolve("complete"), mark.replace('a', 'b'));
    Files.writeString(work.resolve("plan.json"), "{\"options\":{},\"splitBytes\":1}");
    assertThatThrownBy(() -> cluster(options("made", Duplicates.KEEP), none, Start.RESUME))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("made exists already");
  }

  @Test
  void aCompleteIndexIsCheckedAndLeftAlone() throws Exception {
    cluster(options("made", Duplicates.KEEP), new ThreadEngine(1, NO_SCRATCH), Start.FRESH);
    TaskEngine none = stoppedAt("invert", tasks -> {});
    BuildReport checked = cluster(options("made", Duplicates.KEEP), none, Start.RESUME);
    assertThat(checked).isEqualTo(BuildReport.read(directory.resolve("made")));
    assertThat(messages).singleElement().asString().endsWith("made was already complete");
    assertThatThrownBy(() -> cluster(options("made", Duplicates.SKIP), none, Start.RESUME))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("duplicates");
  }

  @Test
  void otherOptionsAndOtherInputAreRefused() throws Exception {
    interrupt(Duplicates.KEEP, tasks -> {});
    assertThatThrownBy(
            () ->
                cluster(
                    options("made", Duplicates.SKIP),
                    new ThreadEngine(1, NO_SCRATCH),
                    Start.RESUME))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("duplicates");
    assertThatThrownBy(
            () ->
                cluster(
                    options("made", Duplicates.KEEP),
                    new ThreadEngine(1, NO_SCRATCH),
                    Start.RESUME,
                    7777))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("--split-size 20000");
    Files.writeString(roots.getFirst().resolve("lines-1.jsonl"), "{\"id\":\"new\"}\n");
    assertThatThrownBy(
            () ->
                cluster(
                    options("made", Duplicates.KEEP),
                    new ThreadEngine(1, NO_SCRATCH),
                    Start.RESUME))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("lines-1.jsonl");
    cluster(options("made", Duplicates.KEEP), new ThreadEngine(1, NO_SCRATCH), Start.RESTART);
    local(options("whole", Duplicates.KEEP));
    assertSame("made", "whole");
  }

  @Test
  void inputThatChangesDuringTheBuildIsAnError() throws IOException {
    Path lines = roots.getFirst().resolve("lines-1.jsonl");
    TaskEngine engine =
        new ChangingEngine(
            "invert",
            tasks -> {
              try {
                Files.setLastModifiedTime(lines, FileTime.fromMillis(12345));
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
    assertThatThrownBy(() -> cluster(options("made", Duplicates.KEEP), engine, Start.FRESH))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("changed during the build")
        .hasMessageContaining("lines-1.jsonl");
  }

  @Test
  void tasksOfABuildThatHasEndedWriteNothing() throws Exception {
    List<String> late = new ArrayList<>();
    TaskEngine engine = new ChangingEngine("merge", late::addAll);
    cluster(options("made", Duplicates.KEEP), engine, Start.FRESH);
    assertThat(late).isNotEmpty();
    for (String task : late) {
      assertThatThrownBy(() -> Tasks.run(task, 1, NO_SCRATCH)).isInstanceOf(IOException.class);
    }
    assertThat(directory.resolve("made.cluster")).doesNotExist();
  }

  @Test
  void onlyOneMachineFindsNearDuplicates() {
    BuildOptions options =
        options("made", Duplicates.KEEP)
            .withNearDuplicates(new NearDuplicates(NearDuplicates.Policy.SKIP, 0.9));
    assertThatThrownBy(() -> cluster(options, new ThreadEngine(1, NO_SCRATCH), Start.FRESH))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("near duplicates");
  }

  /** An archive in an archive looks like records where there are none. */
  @Test
  void aPieceThatMissesTheNextOneIsReadToTheEndOfItsFile() throws Exception {
    Path file = Files.write(directory.resolve("nested.warc"), nested());
    roots.clear();
    roots.add(file);
    BuildReport expected = local(options("whole", Duplicates.SKIP));
    BuildReport made =
        cluster(
            options("made", Duplicates.SKIP),
            new ThreadEngine(2, NO_SCRATCH),
            Start.FRESH,
            4 << 20);
    assertSame("made", "whole");
    assertThat(made.documents()).isEqualTo(expected.documents()).isEqualTo(200);
  }

  private byte[] nested() throws IOException {
    Random random = new Random(11);
    ByteArrayOutputStream inner = new ByteArrayOutputStream();
    ByteArrayOutputStream outer = new ByteArrayOutputStream();
    ByteArrayOutputStream after = new ByteArrayOutputStream();
    for (int i = 0; i < 100; i++) {
      inner.writeBytes(
          Warcs.write(WarcCompression.GZIP, Warcs.html("http://inner/" + i, text(random))));
      outer.writeBytes(
          Warcs.write(WarcCompression.NONE, Warcs.html("http://outer/" + i, text(random))));
      after.writeBytes(
          Warcs.write(WarcCompression.NONE, Warcs.html("http://after/" + i, text(random))));
    }
    byte[] nested = inner.toByteArray();
    byte[] plain = Warcs.write(WarcCompression.NONE, Warcs.html("http://nested/p", "plain"));
    return Warcs.concat(
        outer.toByteArray(),
        Warcs.write(
            WarcCompression.NONE,
            Warcs.response(
                "http://a/inner.warc",
                "application/warc",
                Warcs.concat(nested, "\n".getBytes(StandardCharsets.US_ASCII), plain, nested))),
        after.toByteArray());
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    while (text.length() < 60_000) {
      text.append(Long.toString(random.nextLong() & 0xFFFFFFFFFFL, 36)).append(' ');
    }
    return text.toString();
  }

  @Test
  void vectorsAreIndexedWithTheirWeights() throws Exception {
    Path file = directory.resolve("vectors.jsonl");
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 300; i++) {
      lines.append("{\"id\":\"%d\",\"vector\":{\"a\":%d,\"b%d\":2}}\n".formatted(i, i + 1, i % 7));
    }
    Files.writeString(file, lines);
    roots.clear();
    roots.add(file);
    for (String output : List.of("whole", "made")) {
      BuildOptions options =
          new BuildOptions(
              ImmutableList.copyOf(roots),
              new SourceOptions(
                  Format.VECTORS,
                  SourceOptions.DEFAULT.docno(),
                  SourceOptions.DEFAULT.maxDocumentBytes(),
                  SourceOptions.DEFAULT.maxExpansion()),
              Duplicates.KEEP,
              directory.resolve(output),
              false,
              HtmlMode.FAST,
              IndexedText.ofVectors(Store.ID),
              new BuildOptions.Resources(1, BuildOptions.Resources.MIN_MEMORY_BYTES));
      if (output.equals("whole")) {
        local(options);
      } else {
        cluster(options, new ThreadEngine(1, NO_SCRATCH), Start.FRESH);
      }
    }
    assertSame("made", "whole");
  }
}
