package io.kmodel.indexer.indexing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.Tier;
import io.kmodel.indexer.equality.SampleDocuments;
import io.kmodel.indexer.faults.Faults;
import io.kmodel.indexer.faults.Faults.Kind;
import io.kmodel.indexer.faults.FaultyFileSystem;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.Duplicates;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.options.Recovery;
import io.kmodel.indexer.indexing.options.Recovery.Start;
import io.kmodel.indexer.indexing.options.Store;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.store.disk.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A build whose nth write, force, rename, close or delete fails, for n up to their number, ends
 * with the failure; and one that goes on gives the bytes of an undisturbed build.
 */
@Timeout(300)
class FaultInjectionTest {
  private static final int DOCUMENTS = Tier.pick(40, 100);

  private static final int STRIDE = Faults.stride(31);

  private final Faults faults = new Faults();
  private final FaultyFileSystem system = new FaultyFileSystem(faults);
  private final AtomicInteger kept = new AtomicInteger();

  @TempDir Path directory;
  private Path crawl = Path.of("");
  private int stride = STRIDE;
  private long keptBytes;
  private Duration sealEvery = Duration.ZERO;

  @BeforeEach
  void writeCrawl() throws IOException, InterruptedException {
    crawl = Files.createDirectory(directory.resolve("crawl"));
    Crawls.write(crawl, SampleDocuments.random(5, DOCUMENTS, Tier.pick(2500, 4000)));
    // The same id twice: one split is read again without it.
    Path twice = Files.createDirectory(crawl.resolve("twice"));
    Files.writeString(
        twice.resolve("lines.jsonl"),
        "{\"id\":\"one\",\"contents\":\"a b\"}\n{\"id\":\"one\",\"contents\":\"c d\"}\n");
  }

  @ParameterizedTest
  @EnumSource
  void aBuildWhoseNthCallFailsIsGoneOnWithToTheSameBytes(Kind kind) throws Exception {
    // There are fewer calls of the other kinds.
    stride = kind == Kind.WRITE || kind == Kind.FORCE ? STRIDE : Faults.stride(11);
    failEveryCall(kind);
  }

  @ParameterizedTest
  @EnumSource(names = {"WRITE", "RENAME", "CLOSE"})
  void theSameOfOneWhoseRunsWaitInMemoryUntilItFails(Kind kind) throws Exception {
    keptBytes = 64 << 20;
    sealEvery = Duration.ofHours(1);
    stride = Faults.stride(13);
    failEveryCall(kind);
  }

  private void failEveryCall(Kind kind) throws Exception {
    SortedMap<String, Integer> expected = undisturbed();
    int survived = 0;
    for (int n = 1; survives(kind, n, expected, false); n += stride) {
      survived++;
    }
    assertThat(survived).as("failures of %s", kind).isGreaterThan(Tier.pick(0, 25 / STRIDE));
    System.out.printf("%s: %d failures survived%n", kind, survived);
    if (kind != Kind.DELETE) {
      assertThat(kept.get()).as("builds that were gone on with").isPositive();
    }
  }

  @Test
  void aBuildOnADiskThatIsFullFromTheNthWriteOnIsGoneOnWithToTheSameBytes() throws Exception {
    fillTheDisk();
    assertThat(kept.get()).isPositive();
  }

  @Test
  void theSameOnAFullDiskOfOneWhoseRunsWaitInMemory() throws Exception {
    keptBytes = 64 << 20;
    sealEvery = Duration.ofHours(1);
    fillTheDisk();
  }

  private void fillTheDisk() throws Exception {
    SortedMap<String, Integer> expected = undisturbed();
    int survived = 0;
    for (int n = 2; survives(Kind.WRITE, n, expected, true); n += 2 * STRIDE) {
      survived++;
    }
    assertThat(survived).isGreaterThan(30 / STRIDE);
    System.out.printf("a full disk: %d failures survived%n", survived);
  }

  private SortedMap<String, Integer> undisturbed() throws IOException, InterruptedException {
    Path output = directory.resolve("undisturbed");
    build(output, Start.FRESH);
    return IndexFilesHash.of(output);
  }

  /** False if there was no such call. */
  private boolean survives(
      Kind kind, int n, SortedMap<String, Integer> expected, boolean fromThenOn)
      throws IOException, InterruptedException {
    Path output = directory.resolve("out/index");
    Directories.deleteTree(directory.resolve("out"));
    Files.createDirectory(directory.resolve("out"));
    if (fromThenOn) {
      faults.failFrom(kind, n);
    } else {
      faults.fail(kind, n);
    }
    String name = "%s %d".formatted(kind, n);
    boolean ended = false;
    try {
      build(system.through(output), Start.FRESH);
      ended = true;
    } catch (IOException e) {
      assertThat(e).as(name).hasStackTraceContaining("injected");
    } catch (RuntimeException e) {
      fail(name + " was no IOException", e);
    }
    int injected = faults.injected();
    faults.stop();
    if (injected == 0) {
      return false;
    }
    if (Files.exists(output)) {
      assertThat(IndexFilesHash.of(output)).as(name).isEqualTo(expected);
    }
    if (!ended) {
      goOn(output, name);
    }
    assertThat(IndexFilesHash.of(output)).as(name).isEqualTo(expected);
    if (!ended) {
      assertThat(directory.resolve("out/index.building")).as(name).doesNotExist();
    }
    return true;
  }

  private void goOn(Path output, String name) throws IOException, InterruptedException {
    if (Files.exists(output) && !Files.exists(output.resolveSibling("index.building/journal"))) {
      // Only the work directory could not be deleted, or that the index is there was not forced.
      Directories.deleteTree(output.resolveSibling("index.building"));
      return;
    }
    try {
      build(output, Start.RESUME);
    } catch (IOException | RuntimeException e) {
      fail(name + " could not be gone on with", e);
    }
  }

  private void build(Path output, Start start) throws IOException, InterruptedException {
    BuildOptions options =
        new BuildOptions(
                ImmutableList.of(crawl),
                output,
                false,
                HtmlMode.FAST,
                "standard",
                true,
                Store.CONTENTS,
                new BuildOptions.Resources(2, 1L << 30))
            .withSource(SourceOptions.DEFAULT, Duplicates.SKIP);
    Recovery recovery =
        new Recovery(
            start,
            sealEvery,
            line -> {
              if (line.startsWith("resuming")) {
                kept.incrementAndGet();
              }
            });
    // Small runs, and two at a time: splits have several, and they are merged in passes.
    MemoryPlan plan = new MemoryPlan(1 << 28, 1 << 20, 128 << 10, 64 << 20, keptBytes);
    new Indexing(options, Target.ownIndex(), new BuildProgress(), plan)
        .withRecovery(recovery)
        .run();
  }
}
