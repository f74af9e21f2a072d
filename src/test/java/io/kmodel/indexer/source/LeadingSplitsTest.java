package io.kmodel.indexer.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

  /** What a listener was told. */
  private static final class Told implements FileListener {
    final List<Split> leading = new ArrayList<>();
    int calls;
    long files;
    long filesBefore;

    @Override
    public void file(Path below, byte[] path, long size, FileTime modified) {
      files++;
    }

    @Override
    public void leading(List<Split> splits) {
      leading.addAll(splits);
      filesBefore = files;
      calls++;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 16, 32, 33})
  void theyComeEarlyAndAreTheFirstOfAllSplits(int threads) throws IOException {
    units(900);
    LeadingSplits leading = new LeadingSplits(threads);
    assertThat(leading.count()).isEqualTo(Math.min(threads, 32));
    Told told = new Told();
    Crawl crawl = open(told, leading);
    assertThat(told.calls).isEqualTo(1);
    assertThat(told.filesBefore).isLessThan(crawl.files());
    assertThat(told.leading).hasSize(leading.count());
    List<Split> all = crawl.splits(crawl.splitBytes(threads), leading);
    assertThat(ranges(all).subList(0, leading.count())).isEqualTo(ranges(told.leading));
    assertThat(all.stream().map(Split::ordinal).toList())
        .isEqualTo(IntStream.range(0, all.size()).boxed().toList());
    assertThat(bytes(all)).isEqualTo(crawl.bytes());
    for (int i = 0; i < leading.count(); i++) {
      long wanted = 32 * MIB / leading.count() * (i + 1);
      assertThat(told.leading.get(i).bytes()).isBetween(wanted, wanted + LARGEST_UNIT);
    }
    assertThat(told.leading.getLast().bytes()).isBetween(32 * MIB - 32, 32 * MIB + LARGEST_UNIT);
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
  void asMuchHasToComeAfterThem() throws IOException {
    // 16 and 32 MiB lead.
    sizes(MIB, 95);
    checkNone(new LeadingSplits(2));
    SparseFile.create(root.resolve("z"), MIB);
    Told told = new Told();
    Crawl crawl = open(told, new LeadingSplits(2));
    assertThat(told.calls).isEqualTo(1);
    assertThat(told.leading.stream().map(Split::bytes)).containsExactly(16 * MIB, 32 * MIB);
    assertThat(crawl.splits(100 * MIB, new LeadingSplits(2)).stream().map(Split::bytes))
        .containsExactly(16 * MIB, 32 * MIB, 48 * MIB);
  }

  @Test
  void aLargeFileAmongTheFirstIsWaitedFor() throws IOException {
    sizes(MIB, 30);
    SparseFile.create(root.resolve("u015-large"), FileList.LARGE_BYTES);
    sizes("z", MIB, 200);
    checkNone(new LeadingSplits(2));
  }

  @Test
  void oneBehindThemIsNot() throws IOException {
    sizes(MIB, 49);
    SparseFile.create(root.resolve("v-large"), 6 * FileList.LARGE_BYTES);
    Told told = new Told();
    open(told, new LeadingSplits(2));
    assertThat(told.leading).hasSize(2);
  }

  @Test
  void noneAreAskedForAndNoneAreThere() throws IOException {
    sizes(MIB, 100);
    checkNone(LeadingSplits.NONE);
    assertThatThrownBy(() -> new LeadingSplits(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("got -1");
  }

  @Test
  void moreThreadsThanThereAreWantALargerCrawl() throws IOException {
    units(900);
    // 900 to 1,800 MiB; each of 64 threads is to have 32.
    checkNone(new LeadingSplits(64));
    sizes("v", 7 * MIB, 250);
    Told told = new Told();
    Crawl crawl = open(told, new LeadingSplits(64));
    assertThat(crawl.bytes()).isGreaterThan(64 * 32 * MIB);
    assertThat(told.leading).hasSize(32);
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
    assertThat(bytes).hasSizeLessThan(100);
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
    assertThat(told.calls).isZero();
    assertThat(ranges(crawl.splits(10 * MIB, leading))).isEqualTo(ranges(crawl.splits(10 * MIB)));
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
