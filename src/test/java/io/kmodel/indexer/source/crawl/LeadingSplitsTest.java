package io.kmodel.indexer.source.crawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.source.FileListener;
import io.kmodel.indexer.source.SkipListener;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.SourceReading;
import io.kmodel.indexer.source.SparseFile;
import io.kmodel.indexer.source.Split;
import io.kmodel.indexer.source.list.FileList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The splits that are known before a crawl is listed. Its files are holes, which nobody reads. */
class LeadingSplitsTest {
  private static final long MIB = 1 << 20;
  private static final long LARGEST_UNIT = 2 * MIB;

  @TempDir Path root;

  /** What a listener was told, and after which bytes. */
  private static final class Told implements FileListener {
    final List<Split> leading = new ArrayList<>();
    final List<Long> after = new ArrayList<>();
    final List<Long> sizes = new ArrayList<>();

    @Override
    public void file(Path below, byte[] path, long size, FileTime modified) {
      sizes.add(size);
    }

    @Override
    public void leading(List<Split> splits) {
      assertThat(splits).isNotEmpty();
      leading.addAll(splits);
      long listed = sizes.stream().mapToLong(Long::longValue).sum();
      splits.forEach(split -> after.add(listed));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 16, 32, 33})
  void theyComeEarlyAndAreTheFirstOfAllSplits(int threads) throws IOException {
    units(900);
    LeadingSplits leading = new LeadingSplits(threads);
    assertThat(leading.most()).isEqualTo(Math.min(threads, 32));
    Told told = new Told();
    Crawl crawl = open(told, leading);
    assertThat(told.leading).hasSize(leading.most());
    List<Split> all = crawl.splits(crawl.splitBytes(threads), leading);
    assertThat(ranges(all).subList(0, leading.most())).isEqualTo(ranges(told.leading));
    assertThat(all.stream().map(Split::ordinal).toList())
        .isEqualTo(IntStream.range(0, all.size()).boxed().toList());
    assertThat(bytes(all)).isEqualTo(crawl.bytes());
    for (int i = 0; i < leading.most(); i++) {
      long wanted = 32 * MIB / leading.most() * (i + 1);
      assertThat(told.leading.get(i).bytes()).isBetween(wanted, wanted + LARGEST_UNIT);
    }
    assertThat(told.leading.getLast().bytes()).isBetween(32 * MIB - 32, 32 * MIB + LARGEST_UNIT);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 16})
  void eachComesWhenEveryThreadCanHaveAsMuch(int threads) throws IOException {
    units(900);
    Told told = new Told();
    open(told, new LeadingSplits(threads));
    long end = 0;
    for (int i = 0; i < told.leading.size(); i++) {
      long bytes = told.leading.get(i).bytes();
      end += bytes;
      long wanted = Math.max(end, threads * bytes);
      // A unit is one file here, and the listener hears of a file before that is in a unit.
      assertThat(told.after.get(i)).isBetween(wanted, wanted + 2 * LARGEST_UNIT);
    }
    assertThat(told.after).isSorted();
  }

  @Test
  void theirDocumentsAreThoseOfTheWholeCrawlsSplits() throws Exception {
    units(80);
    for (int i = 0; i < 300; i++) {
      Files.writeString(root.resolve("u%03d-%d.txt".formatted(i % 80, i)), "text " + i);
    }
    Told told = new Told();
    Crawl crawl = open(told, new LeadingSplits(2));
    List<Split> all = crawl.splits(crawl.splitBytes(2), new LeadingSplits(2));
    assertThat(told.leading).hasSize(2);
    for (int i = 0; i < 2; i++) {
      assertThat(documents(told.leading.get(i)))
          .hasSizeGreaterThan(20)
          .isEqualTo(documents(all.get(i)));
    }
    assertThat(documents(all.toArray(Split[]::new)))
        .isEqualTo(documents(crawl.splits(Long.MAX_VALUE).getFirst()));
  }

  @Test
  void noneIsMoreThanAThreadsShare() throws IOException {
    // Of two threads those of 16 and 32 MiB.
    sizes(MIB, 31);
    checkNone(new LeadingSplits(2));
    sizes("v", MIB, 1);
    assertThat(leading(2)).containsExactly(16 * MIB);
    sizes("w", MIB, 31);
    assertThat(leading(2)).containsExactly(16 * MIB);
    sizes("x", MIB, 1);
    assertThat(leading(2)).containsExactly(16 * MIB, 32 * MIB);
    Crawl crawl = open(FileListener.NONE, new LeadingSplits(2));
    assertThat(crawl.splits(100 * MIB, new LeadingSplits(2)).stream().map(Split::bytes))
        .containsExactly(16 * MIB, 32 * MIB, 16 * MIB);
  }

  @Test
  void aLargeFileInTheFirstIsWaitedFor() throws IOException {
    sizes(MIB, 30);
    SparseFile.create(root.resolve("u014-large"), FileList.LARGE_BYTES);
    sizes("z", MIB, 200);
    checkNone(new LeadingSplits(2));
  }

  @Test
  void aLargeFileEndsThem() throws IOException {
    sizes(MIB, 30);
    SparseFile.create(root.resolve("u015-large"), FileList.LARGE_BYTES);
    sizes("z", MIB, 200);
    assertThat(leading(2)).containsExactly(16 * MIB);
  }

  @Test
  void oneBehindThemCounts() throws IOException {
    sizes(MIB, 49);
    SparseFile.create(root.resolve("v-large"), 6 * FileList.LARGE_BYTES);
    assertThat(leading(2)).containsExactly(16 * MIB, 32 * MIB);
  }

  @Test
  void noneAreAskedForAndNoneAreThere() throws IOException {
    checkNone(new LeadingSplits(2));
    sizes(MIB, 100);
    checkNone(LeadingSplits.NONE);
    assertThatThrownBy(() -> new LeadingSplits(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("got -1");
  }

  @Test
  void moreThreadsThanThereAreWantALargerCrawl() throws IOException {
    sizes(4 * MIB, 255);
    // Of 1 to 32 MiB, in files of four: each of 64 threads is to have as much.
    assertThat(leading(64))
        .containsExactly(
            4 * MIB, 4 * MIB, 4 * MIB, 4 * MIB, 8 * MIB, 8 * MIB, 8 * MIB, 8 * MIB, 12 * MIB,
            12 * MIB, 12 * MIB, 12 * MIB);
    sizes("v", 4 * MIB, 257);
    assertThat(leading(64)).hasSize(32).last().isEqualTo(32 * MIB);
  }

  @Test
  void theOthersGoOnAscendingWhereFullOnesAreLarger() throws IOException {
    sizes(4 * MIB, 5120);
    LeadingSplits leading = new LeadingSplits(16);
    Crawl crawl = open(FileListener.NONE, leading);
    List<Long> bytes =
        crawl.splits(crawl.splitBytes(16), leading).stream().map(Split::bytes).toList();
    // 20 GiB: a full one has 512 MiB, a step 32; what leads has 288.
    assertThat(bytes.subList(16, 20)).containsExactly(160 * MIB, 192 * MIB, 224 * MIB, 256 * MIB);
    assertThat(bytes).hasSizeLessThan(120);
  }

  @Test
  void severalRootsAreOneCrawl() throws IOException {
    Path one = Files.createDirectory(root.resolve("one"));
    Path other = Files.createDirectory(root.resolve("other"));
    for (int i = 0; i < 80; i++) {
      SparseFile.create(one.resolve("%02d".formatted(i)), MIB / 2 + 1);
      SparseFile.create(other.resolve("%02d".formatted(i)), MIB + 1);
    }
    Told told = new Told();
    Crawl crawl =
        Crawl.open(
            List.of(one, other),
            List.of(),
            SourceOptions.DEFAULT,
            SkipListener.NONE,
            told,
            new LeadingSplits(2));
    assertThat(told.leading).hasSize(2);
    assertThat(ranges(crawl.splits(20 * MIB, new LeadingSplits(2))))
        .startsWith(ranges(told.leading).toArray(String[]::new));
  }

  private void checkNone(LeadingSplits leading) throws IOException {
    Told told = new Told();
    Crawl crawl = open(told, leading);
    assertThat(told.leading).isEmpty();
    assertThat(ranges(crawl.splits(10 * MIB, leading))).isEqualTo(ranges(crawl.splits(10 * MIB)));
  }

  /** Bytes of those that lead, when so many threads read. */
  private List<Long> leading(int threads) throws IOException {
    Told told = new Told();
    open(told, new LeadingSplits(threads));
    return told.leading.stream().map(Split::bytes).toList();
  }

  /** Each a unit of 1 to 2 MiB. */
  private void units(int count) throws IOException {
    Random random = new Random(7);
    for (int i = 0; i < count; i++) {
      SparseFile.create(root.resolve("u%03d".formatted(i)), MIB + random.nextInt((int) MIB));
    }
  }

  private void sizes(long bytes, int count) throws IOException {
    sizes("u", bytes, count);
  }

  private void sizes(String start, long bytes, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      SparseFile.create(root.resolve("%s%03d".formatted(start, i)), bytes);
    }
  }

  private Crawl open(FileListener listener, LeadingSplits leading) throws IOException {
    return Crawl.open(
        List.of(root), List.of(), SourceOptions.DEFAULT, SkipListener.NONE, listener, leading);
  }

  private static List<SourceReading.Doc> documents(Split... splits)
      throws IOException, InterruptedException {
    SourceReading reading = new SourceReading();
    for (Split split : splits) {
      reading.read(split);
    }
    return reading.docs;
  }

  /** What tells splits apart: they name their range. */
  private static List<String> ranges(List<Split> splits) {
    return splits.stream().map(s -> s.toString().replaceFirst("crawl=[^,]*, ", "")).toList();
  }

  private static long bytes(List<Split> splits) {
    return splits.stream().mapToLong(Split::bytes).sum();
  }
}
