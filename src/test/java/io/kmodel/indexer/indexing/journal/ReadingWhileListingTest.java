package io.kmodel.indexer.indexing.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.QuickEvery;
import io.kmodel.indexer.faults.Faults.Kind;
import io.kmodel.indexer.indexing.IndexFilesHash;
import io.kmodel.indexer.indexing.InterruptedBuild;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.Recovery.Start;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.source.Location;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.SparseFile;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A crawl that is large enough for its first splits to be read while the rest is listed. Most of it
 * are holes, which are no text. Its last file is a link, which the listing tells of.
 */
@Tag("alone")
@Timeout(120)
class ReadingWhileListingTest extends InterruptedBuild {
  private static final long HOLE_BYTES = 4 << 20;
  private static final int HOLES = 20;

  /**
   * Does something in the thread that lists, when it comes to the end. Threads that parse wait for
   * that when they come to a hole, which is before they finish a split.
   */
  private static final class AtTheEnd implements BuildProgress.Listener {
    final BuildProgress progress = new BuildProgress(this);
    private final Consumer<BuildProgress> action;
    private final CountDownLatch reached = new CountDownLatch(1);

    AtTheEnd(Consumer<BuildProgress> action) {
      this.action = action;
    }

    @Override
    public void entered(BuildProgress.Stage stage) {}

    @Override
    public void skipped(Location place, SkipReason reason, String detail) {
      if (place.file().endsWith("zz-link")) {
        reached.countDown();
        action.accept(progress);
      } else {
        awaitOrInterrupted(reached);
      }
    }
  }

  @BeforeEach
  void enlargeCrawl() throws IOException {
    for (int i = 0; i < HOLES; i++) {
      // Behind the pages of their directory.
      SparseFile.create(crawl.resolve("part-%02d/z-hole-%d.bin".formatted(i % 8, i)), HOLE_BYTES);
    }
    Files.createSymbolicLink(crawl.resolve("zz-link"), Path.of("nowhere"));
  }

  @Test
  void documentsAreReadBeforeTheListingEnds() throws Exception {
    AtomicReference<BuildProgress.Stage> stage = new AtomicReference<>();
    AtTheEnd end =
        new AtTheEnd(
            progress -> {
              // A split is finished, and nothing is known of how many there are.
              await(() -> progress.runs() > 0);
              assertThat(progress.totalBytes()).isZero();
              stage.set(progress.stage());
            });
    BuildReport report = run(2, end.progress);
    assertThat(stage.get()).isEqualTo(BuildProgress.Stage.PARSE);
    assertThat(end.progress.totalBytes()).isGreaterThan(HOLES * HOLE_BYTES);
    assertThat(report.documents()).isEqualTo(DOCUMENTS);
    assertThat(report.phases()).extracting(BuildReport.Phase::name).startsWith("scan", "parse");
  }

  @ParameterizedTest
  @QuickEvery(2)
  @ValueSource(ints = {1, 2, 5})
  void theIndexIsThatOfACrawlThatIsListedFirst(int threads) throws Exception {
    SortedMap<String, Integer> expected = listedFirst();
    run(threads, new BuildProgress());
    assertThat(IndexFilesHash.of(output)).isEqualTo(expected);
    List<String> skipped = Files.readAllLines(output.resolve(BuildReport.SKIPPED_FILE_NAME));
    assertThat(skipped).hasSize(HOLES + 1);
    assertThat(skipped.getFirst()).contains("zz-link").contains("symbolic link");
    assertThat(skipped)
        .isEqualTo(
            Files.readAllLines(
                directory.resolve("listed-first").resolve(BuildReport.SKIPPED_FILE_NAME)));
  }

  @Test
  void aListingThatFailsEndsTheBuildAndNothingStays() throws Exception {
    AtTheEnd end =
        new AtTheEnd(
            progress -> {
              await(() -> progress.runs() > 0);
              throw new IllegalStateException("for the test");
            });
    assertThatThrownBy(() -> run(2, end.progress))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("for the test");
    assertThat(end.progress.documents()).isPositive();
    // Finished splits are worth nothing without the list that says what they are splits of.
    assertThat(notices).isEmpty();
    assertThat(work()).doesNotExist();
    assertThat(output).doesNotExist();
    assertNoThreads();
  }

  @Test
  void aBuildThatFailsEndsTheListing() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    AtomicBoolean interrupted = new AtomicBoolean();
    AtTheEnd end =
        new AtTheEnd(
            progress -> {
              interrupted.set(awaitOrInterrupted(never));
            });
    faults.failFrom(Kind.RENAME, 1);
    BuildOptions options = options(crawl, system.through(output), 2);
    assertThatThrownBy(() -> build(options, end.progress, Start.FRESH))
        .hasStackTraceContaining("injected");
    assertThat(interrupted).isTrue();
    assertThat(notices).isEmpty();
    assertThat(work()).doesNotExist();
    assertNoThreads();
  }

  @ParameterizedTest
  @QuickEvery(2)
  @ValueSource(ints = {1, 2, 5})
  void whatWasInterruptedLaterIsGoneOnWithByAnyNumberOfThreads(int threads) throws Exception {
    SortedMap<String, Integer> expected = listedFirst();
    interruptParsing(2);
    RecoveredState sealed = RecoveredState.read(journal());
    assertThat(sealed.started()).isNotNull();
    assertThat(sealed.started().leadingThreads()).isEqualTo(2);
    assertThat(Stream.of(0, 1).map(split -> sealed.split(new Reading(split, 0))))
        .anyMatch(leading -> leading != null && !leading.runs().isEmpty());
    build(options(crawl, output, threads), new BuildProgress(), Start.RESUME);
    assertThat(notices).anyMatch(line -> line.startsWith("resuming with "));
    assertThat(IndexFilesHash.of(output)).isEqualTo(expected);
  }

  @Test
  void aBuildThatGoesOnReadsNothingBeforeTheCrawlIsKnownToBeTheSame() throws Exception {
    interruptParsing(2);
    try (RandomAccessFile hole =
        new RandomAccessFile(crawl.resolve("part-07/z-hole-15.bin").toFile(), "rw")) {
      hole.setLength(HOLE_BYTES + 1);
    }
    BuildProgress progress = new BuildProgress();
    assertThatThrownBy(() -> build(options(crawl, output, 2), progress, Start.RESUME))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("part-07/z-hole-15.bin has ");
    assertThat(progress.stage()).isEqualTo(BuildProgress.Stage.SCAN);
    assertThat(progress.documents()).isZero();
    assertThat(sealedSplits()).isPositive();
  }

  @Test
  void aCallThatIsInterruptedMeanwhileEndsBoth() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    Thread caller = Thread.currentThread();
    AtTheEnd end =
        new AtTheEnd(
            progress -> {
              await(() -> progress.runs() > 0);
              caller.interrupt();
              awaitOrInterrupted(never);
            });
    assertThatThrownBy(() -> run(2, end.progress)).isInstanceOf(InterruptedException.class);
    assertThat(work()).doesNotExist();
    assertThat(output).doesNotExist();
    assertNoThreads();
  }

  /** For so many threads the crawl is too small to be read before that. */
  private SortedMap<String, Integer> listedFirst() throws IOException, InterruptedException {
    Path other = directory.resolve("listed-first");
    AtomicReference<BuildProgress.Stage> stage = new AtomicReference<>();
    AtTheEnd end = new AtTheEnd(progress -> stage.set(progress.stage()));
    build(options(crawl, other, 100), end.progress, Start.FRESH);
    assertThat(stage.get()).isEqualTo(BuildProgress.Stage.SCAN);
    return IndexFilesHash.of(other);
  }

  private BuildReport run(int threads, BuildProgress progress)
      throws IOException, InterruptedException {
    return build(options(crawl, output, threads), progress, Start.FRESH);
  }

  /** Waits; whether the thread was interrupted before the latch opened, which it is then still. */
  private static boolean awaitOrInterrupted(CountDownLatch latch) {
    try {
      latch.await();
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + 60_000_000_000L;
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("waited for too long").isLessThan(deadline);
      try {
        Thread.sleep(1);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  private static void assertNoThreads() {
    await(
        () ->
            Thread.getAllStackTraces().keySet().stream()
                .noneMatch(t -> t.getName().matches("(scan|parse|list)-\\d+")));
  }
}
