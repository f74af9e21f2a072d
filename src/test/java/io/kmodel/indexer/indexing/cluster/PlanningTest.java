package io.kmodel.indexer.indexing.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sizes of splits; the files are sparse. */
class PlanningTest {
  private static final int FILES = 400;
  private static final long FILE_BYTES = 2L << 20;
  private static final long FULL_BYTES = 80L << 20;

  @TempDir Path directory;
  private Path crawl = Path.of("");

  @BeforeEach
  void write() throws IOException {
    crawl = Files.createDirectory(directory.resolve("crawl"));
    for (int i = 0; i < FILES; i++) {
      Path file = crawl.resolve("%03d.html".formatted(i));
      try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
        sparse.setLength(FILE_BYTES);
      }
    }
  }

  private List<Long> splits(int slots, long askedBytes, int shards) throws IOException {
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
    Planning planning =
        new Planning(options, work, new ThreadEngine(slots, place), askedBytes, shards);
    Listing listing = planning.list(List.of(), false, new BuildProgress());
    ClusterJournal.Plan plan = planning.plan(listing.crawl(), null);
    List<Long> bytes = listing.parts(plan).stream().map(CrawlPart::bytes).toList();
    assertThat(bytes.stream().mapToLong(Long::longValue).sum()).isEqualTo(FILES * FILE_BYTES);
    assertThat(planning.plan(listing.crawl(), plan)).isEqualTo(plan);
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
    List<Long> splits = splits(4, 0, 0);
    assertThat(Collections.max(splits)).isBetween(FULL_BYTES, FULL_BYTES + FILE_BYTES);
    assertThat(splits.getLast()).isLessThan(FULL_BYTES / 3);
    assertThat(splits).hasSizeLessThan(6 * 4);
    long ideal = FILES * FILE_BYTES / 4;
    assertThat(longest(splits, 4)).isLessThan(ideal + ideal / 10);
  }

  @Test
  void aSizeThatLeavesOneSplitToASlotMakesEqualOnes() throws IOException {
    List<Long> splits = splits(10, FULL_BYTES, 0);
    assertThat(splits).hasSize(10).containsOnly(FULL_BYTES);
  }

  @Test
  void shardsHaveTheSameNumberOfEqualSplits() throws IOException {
    List<Long> splits = splits(4, 0, 5);
    assertThat(splits).hasSize(20).containsOnly(FULL_BYTES / 2);
  }
}
