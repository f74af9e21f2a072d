package io.kmodel.indexer.indexing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import com.google.common.util.concurrent.Uninterruptibles;
import io.kmodel.indexer.Tier;
import io.kmodel.indexer.equality.SampleDocuments;
import io.kmodel.indexer.faults.Faults;
import io.kmodel.indexer.faults.Faults.Kind;
import io.kmodel.indexer.faults.FaultyFileSystem;
import io.kmodel.indexer.indexing.journal.BuildJournal;
import io.kmodel.indexer.indexing.journal.Checkpoints;
import io.kmodel.indexer.indexing.journal.Reading;
import io.kmodel.indexer.indexing.journal.RecoveredState;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.options.Recovery;
import io.kmodel.indexer.indexing.options.Recovery.Start;
import io.kmodel.indexer.indexing.options.Store;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildProgress.Stage;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.parse.ParsedDocument;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.source.Location;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.store.disk.Directories;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A crawl, and builds of it that are interrupted and gone on with: what their tests share. */
public abstract class InterruptedBuild {
  public static final int DOCUMENTS = 400;

  private static final List<ParsedDocument> SAMPLES =
      SampleDocuments.random(3, DOCUMENTS, Tier.pick(800, 1200));

  /** By which a merge has room for two runs, and makes larger ones first. */
  public static final MemoryPlan TWO_AT_A_TIME =
      new MemoryPlan(1 << 30, 1 << 20, 64 << 10, 256 << 20);

  private static final Path NO_PATH = Path.of("");

  public final Faults faults = new Faults();
  public final FaultyFileSystem system = new FaultyFileSystem(faults);
  public final List<String> notices = Collections.synchronizedList(new ArrayList<>());

  @TempDir public Path directory;
  public Path crawl = NO_PATH;
  public Path output = NO_PATH;

  @BeforeEach
  void writeCrawl() throws IOException, InterruptedException {
    crawl = Files.createDirectory(directory.resolve("crawl"));
    output = directory.resolve("index");
    Crawls.write(crawl, SAMPLES);
  }

  /** Has a build by two threads fail when some splits are finished. */
  void interruptParsing() {
    interruptParsing(2);
  }

  /** The same; one thread finishes the first splits first. */
  public void interruptParsing(int threads) {
    faults.fail(Kind.RENAME, 9);
    BuildOptions options = options(crawl, system.through(output), threads);
    assertThatThrownBy(() -> build(options, new BuildProgress(), Start.FRESH))
        .hasStackTraceContaining("injected");
    faults.stop();
    assertThat(notices)
        .anyMatch(line -> line.endsWith("the same command with --resume continues from there"));
    assertThat(output).doesNotExist();
  }

  public int sealedSplits() throws IOException {
    return RecoveredState.read(journal()).splits();
  }

  public Path work() {
    return directory.resolve("index.building");
  }

  public void interruptMerge() throws IOException {
    interruptMerge(plan());
  }

  /** Has a build fail when some ranges are merged. */
  void interruptMerge(MemoryPlan plan) throws IOException {
    int n = 1;
    while (!isMerging()) {
      deleteWork();
      faults.fail(Kind.RENAME, n);
      n += 3;
      assertThatThrownBy(() -> build(system.through(output), Start.FRESH, plan))
          .hasStackTraceContaining("injected");
    }
    faults.stop();
  }

  /** Has a build fail when some runs are merged into larger ones. */
  public void interruptPass() throws IOException {
    for (int n = 1; saved().passes() == 0; n += 3) {
      deleteWork();
      faults.fail(Kind.RENAME, n);
      assertThatThrownBy(() -> build(system.through(output), Start.FRESH, TWO_AT_A_TIME))
          .hasStackTraceContaining("injected");
    }
    faults.stop();
  }

  public Path journal() {
    return work().resolve("journal");
  }

  /** What the interrupted build has saved. */
  public Checkpoints saved() throws IOException {
    return new Checkpoints(
        RecoveredState.read(journal()), BuildJournal.none(), work().resolve("runs"));
  }

  boolean isMerging() throws IOException {
    return saved().mergedRanges() > 0;
  }

  void deleteWork() throws IOException {
    Directories.deleteTree(work());
  }

  /** Files of sealed splits. */
  List<Path> files(String end) throws IOException {
    Checkpoints saved = saved();
    List<Path> files = new ArrayList<>();
    for (int split = 0; split < 12; split++) {
      if (saved.split(new Reading(split, 0)) != null) {
        files.add(work().resolve("runs/split-%06d%s".formatted(split, end)));
      }
    }
    return files;
  }

  static void damage(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 4;
    Files.write(file, bytes);
  }

  public SortedMap<String, Integer> undisturbed() throws IOException, InterruptedException {
    Path other = directory.resolve("undisturbed");
    build(other, Start.FRESH);
    return IndexFilesHash.of(other);
  }

  BuildReport resume() throws IOException, InterruptedException {
    return build(output, Start.RESUME);
  }

  BuildReport build(Path target, Start start) throws IOException, InterruptedException {
    return build(options(crawl, target, 2), new BuildProgress(), start);
  }

  public BuildReport build(BuildOptions options, BuildProgress progress, Start start)
      throws IOException, InterruptedException {
    return new Indexing(options, Target.ownIndex(), progress, plan())
        .withRecovery(recovery(start))
        .run();
  }

  public BuildReport build(Path target, Start start, MemoryPlan plan)
      throws IOException, InterruptedException {
    return new Indexing(options(crawl, target, 2), Target.ownIndex(), new BuildProgress(), plan)
        .withRecovery(recovery(start))
        .run();
  }

  public Recovery recovery(Start start) {
    return new Recovery(start, Duration.ZERO, notices::add);
  }

  /** What does something when a stage is entered. */
  static BuildProgress at(Stage at, ThrowingRunnable what) {
    return entering(
        stage -> {
          if (stage == at) {
            what.run();
          }
        });
  }

  /** The same of a build that begins to merge when splits are sealed, however long that takes. */
  BuildProgress sealedAt(Stage at, ThrowingRunnable what) {
    return entering(
        stage -> {
          for (int i = 0; stage == Stage.MERGE && sealedSplits() == 0; i++) {
            assertThat(i).as("times that nothing was sealed").isLessThan(6000);
            Uninterruptibles.sleepUninterruptibly(Duration.ofMillis(10));
          }
          if (stage == at) {
            what.run();
          }
        });
  }

  @FunctionalInterface
  private interface Entering {
    void entered(Stage stage) throws IOException;
  }

  private static BuildProgress entering(Entering what) {
    return new BuildProgress(
        new BuildProgress.Listener() {
          @Override
          public void entered(Stage stage) {
            try {
              what.entered(stage);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          }

          @Override
          public void skipped(Location place, SkipReason reason, String detail) {}
        });
  }

  @FunctionalInterface
  interface ThrowingRunnable {
    void run() throws IOException;
  }

  public static MemoryPlan plan() {
    return new MemoryPlan(1 << 30, 1 << 20, 8 << 20, 256 << 20);
  }

  public static BuildOptions options(Path crawl, Path target, int threads) {
    return options(crawl, target, threads, false);
  }

  static BuildOptions options(Path crawl, Path target, int threads, boolean overwrite) {
    return new BuildOptions(
        ImmutableList.of(crawl),
        target,
        overwrite,
        HtmlMode.FAST,
        "standard",
        true,
        Store.CONTENTS,
        new BuildOptions.Resources(threads, 1L << 30));
  }
}
