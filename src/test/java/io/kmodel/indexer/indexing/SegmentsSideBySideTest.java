package io.kmodel.indexer.indexing;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Throwables;
import io.kmodel.indexer.QuickEvery;
import io.kmodel.indexer.Tier;
import io.kmodel.indexer.equality.IndexEquality;
import io.kmodel.indexer.export.lucene.IndexCheck;
import io.kmodel.indexer.faults.Faults;
import io.kmodel.indexer.faults.Faults.Kind;
import io.kmodel.indexer.faults.OpenDescriptors;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.options.Recovery.Start;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.store.disk.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Segments of a Lucene index that runs are merged into at the same time, by one thread or more. */
@Timeout(120)
class SegmentsSideBySideTest extends InterruptedBuild {
  /** Of a run. */
  private static final long SMALL = 1 << 20;

  private static final long LARGE = 24 << 20;

  private int failedInSegments;

  @ParameterizedTest
  @QuickEvery(2)
  @CsvSource({"1, 3", "4, 2", "5, 3", "3, 1"})
  void whateverTheThreadsOfASegmentTheIndexIsTheSame(int threads, int segments) throws Exception {
    Path expected = directory.resolve("expected");
    build(expected, 1, 1, SMALL);
    build(output, threads, segments, SMALL);
    assertSame(expected, segments, DOCUMENTS);
  }

  private void assertSame(Path expected, int segments, int documents) throws IOException {
    try (Directory one = FSDirectory.open(expected);
        Directory several = FSDirectory.open(output);
        DirectoryReader reference = DirectoryReader.open(one);
        DirectoryReader reader = DirectoryReader.open(several)) {
      assertThat(reader.leaves()).hasSize(segments);
      assertThat(reader.numDocs()).isEqualTo(documents);
      IndexEquality.assertSame(reference, reader);
    }
  }

  /** Enough for ranges that threads encode ahead of the one that writes them. */
  @Test
  void threadsThatEncodeForAnotherGiveTheSameIndex() throws Exception {
    crawl = Files.createDirectory(directory.resolve("many"));
    Random random = new Random(7);
    for (int file = 0; file < 40; file++) {
      StringBuilder lines = new StringBuilder();
      for (int line = 0; line < 50; line++) {
        lines.append("%d-%d\t".formatted(file, line));
        for (int word = 0; word < Tier.pick(400, 1000); word++) {
          // Some words often, most of them in few documents.
          lines.append(Integer.toString(random.nextInt(1 << (4 + random.nextInt(17))), 36));
          lines.append(' ');
        }
        lines.append('\n');
      }
      Files.writeString(crawl.resolve(file + ".tsv"), lines);
    }
    Path expected = directory.resolve("expected");
    build(expected, 1, 1, LARGE);
    BuildProgress progress = build(output, 4, 2, LARGE);
    assertThat(progress.ranges()).isGreaterThan(4);
    assertThat(progress.mergedRanges()).isEqualTo(progress.ranges());
    assertSame(expected, 2, 2000);
  }

  @Test
  @Timeout(600)
  void whenOneFailsNoneHasAFileOpen() throws Exception {
    OpenDescriptors.assumeListed();
    for (int n = 1; !isWritten(n); n += Faults.stride(67)) {
      assertThat(OpenDescriptors.below(directory)).as("after write %d failed", n).isEmpty();
      deleteWork();
    }
    assertThat(failedInSegments).isPositive();
  }

  /**
   * Whether a build ends before its nth write, which would fail. If that is a write of the journal,
   * the build ends well, and its index is deleted.
   */
  private boolean isWritten(int n) throws InterruptedException {
    faults.fail(Kind.WRITE, n);
    try {
      build(system.through(output), 4, 3, SMALL);
      Directories.deleteTree(output);
      return faults.injected() == 0;
    } catch (IOException e) {
      assertThat(e).hasStackTraceContaining("injected");
      failedInSegments += Throwables.getStackTraceAsString(e).contains("MergedSegments") ? 1 : 0;
      return false;
    } finally {
      faults.stop();
    }
  }

  private BuildProgress build(Path target, int threads, int segments, long runBytes)
      throws IOException, InterruptedException {
    BuildProgress progress = new BuildProgress();
    new Indexing(
            options(crawl, target, threads),
            Target.lucene(segments, Tier.pick(IndexCheck.CONTENT, IndexCheck.SLOW)),
            progress,
            new MemoryPlan(1 << 30, runBytes, 64 << 20, 256 << 20))
        .withRecovery(recovery(Start.FRESH))
        .run();
    return progress;
  }
}
