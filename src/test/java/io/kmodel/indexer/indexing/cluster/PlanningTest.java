package io.kmodel.indexer.indexing.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.Store;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.source.crawl.CrawlPart;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sizes of splits; the files are sparse. */
class PlanningTest {
  private static final int FILES = 400;
  private static final long FILE_BYTES = 2L << 20;
  private static final long FULL_BYTES = 80L << 20;

  @TempDir Path directory;
  private Path crawl = Path.of("");

  /** Lists files of these sizes. */
  private Listing crawl(int files, long bytes) throws IOException {
    crawl = Files.createDirectory(directory.resolve("crawl"));
    for (int i = 0; i < files; i++) {
      Path file = crawl.resolve("%04d.html".formatted(i));
      try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
        sparse.setLength(bytes);
      }
    }
    return planning(1, 0, 0).list(List.of(), false, new BuildProgress());
  }

  private Planning planning(int slots, long askedBytes, int shards) throws IOException {
    Path place = directory.resolve("work");
    Workspace work = new SharedDirectory(place);
    work.create();
    BuildOptions options =
        new BuildOptions(
            ImmutableList.of(crawl),
            directory.resolve("index"),
            false,
            HtmlMode.FAST,
            "standard",
            true,
            Store.CONTENTS,
            new BuildOptions.Resources(1, BuildOptions.Resources.MIN_MEMORY_BYTES));
    return new Planning(options, work, new ThreadEngine(slots, place), askedBytes, shards);
  }

  private List<Long> splits(Listing listing, int slots, long askedBytes, int shards)
      throws IOException {
    Planning.Planned planned = planning(slots, askedBytes, shards).plan(listing, null);
    List<Long> bytes = planned.parts().stream().map(CrawlPart::bytes).toList();
    assertThat(bytes.stream().mapToLong(Long::longValue).sum()).isEqualTo(listing.crawl().bytes());
    return bytes;
  }

  /** What the slot that ends last has to read if all of them read at the same speed. */
  private static long longest(List<Long> splits, int slots) {
    long[] ends = new long[slots];
    for (long split : splits) {
      int first = 0;
      for (int slot = 1; slot < slots; slot++) {
        first = ends[slot] < ends[first] ? slot : first;
      }
      ends[first] += split;
    }
    long last = 0;
    for (long end : ends) {
      last = Math.max(last, end);
    }
    return last;
  }

  @Test
  void allSlotsEndAtAboutTheSameTime() throws IOException {
    List<Long> splits = splits(crawl(FILES, FILE_BYTES), 4, 0, 0);
    assertThat(Collections.max(splits)).isBetween(FULL_BYTES, FULL_BYTES + FILE_BYTES);
    assertThat(splits.getLast()).isLessThan(FULL_BYTES / 3);
    assertThat(splits).hasSizeLessThan(6 * 4);
    long ideal = FILES * FILE_BYTES / 4;
    assertThat(longest(splits, 4)).isLessThan(ideal + ideal / 10);
  }

  /** No more splits than can be merged at a time, and no slots without one. */
  @Test
  void manySlotsHaveEnoughSplits() throws IOException {
    Listing listing = crawl(2000, 40L << 20);
    double bytes = listing.crawl().bytes();
    for (int slots : new int[] {100, 200, 250, 251, 400, 500, 1000}) {
      List<Long> splits = splits(listing, slots, 0, 0);
      assertThat(splits).as("%d slots", slots).hasSizeBetween(slots, 1010);
      assertThat(longest(splits, slots) / (bytes / slots)).as("%d slots", slots).isLessThan(1.3);
    }
  }

  @Test
  void largeCrawlsHaveAboutAThousandSplits() throws IOException {
    assertThat(splits(crawl(2000, 512L << 20), 16, 0, 0)).hasSizeBetween(600, 1010);
  }

  @Test
  void aSizeThatLeavesOneSplitToASlotMakesEqualOnes() throws IOException {
    List<Long> splits = splits(crawl(FILES, FILE_BYTES), 10, FULL_BYTES, 0);
    assertThat(splits).hasSize(10).containsOnly(FULL_BYTES);
  }

  @Test
  void shardsHaveTheSameNumberOfEqualSplits() throws IOException {
    List<Long> splits = splits(crawl(FILES, FILE_BYTES), 4, 0, 5);
    assertThat(splits).hasSize(20).containsOnly(FULL_BYTES / 2);
  }

  @Test
  void aPlanIsContinuedOnlyWithTheSameSplits() throws IOException {
    Listing listing = crawl(FILES, FILE_BYTES);
    Planning.Planned planned = planning(4, 0, 0).plan(listing, null);
    assertThat(planning(9, 0, 0).plan(listing, planned.plan()).parts())
        .hasSameSizeAs(planned.parts());
    ClusterJournal.Plan other =
        new ClusterJournal.Plan(
            planned.plan().options(), planned.plan().splitBytes(), false, planned.plan().cut() + 1);
    assertThatThrownBy(() -> planning(4, 0, 0).plan(listing, other))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("other splits");
  }
}
