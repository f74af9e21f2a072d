package io.kmodel.indexer.source.crawl;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.source.Format;
import io.kmodel.indexer.source.SkipListener;
import io.kmodel.indexer.source.SourceOptions;
import io.kmodel.indexer.source.SourceReading;
import io.kmodel.indexer.source.SparseFile;
import io.kmodel.indexer.source.Split;
import io.kmodel.indexer.source.list.FileList;
import io.kmodel.indexer.source.record.RecordFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The first and the last of many splits are smaller. Files that nobody reads here are holes. */
class SplitSizesTest {
  private static final long CELL = RecordFile.CELL_BYTES;
  private static final int LARGEST_UNIT = FileList.UNIT_BYTES + (1 << 19);

  @TempDir Path root;

  @ParameterizedTest
  @ValueSource(ints = {4, 5, 7, 9, 16, 31, 32, 33, 64, 96, 120})
  void threadsThatTakeSplitsInTurnEndTogether(int threads) {
    for (long all = 1_000_000_000L; all < 50_000_000_000L; all = all * 10 / 9) {
      long full = SplitSizes.fullBytes(all, threads);
      assertThat(apart(all, full, threads))
          .as("of %,d bytes, from the first thread's end to the last one's", all)
          .isLessThanOrEqualTo(full / SplitSizes.SMALLEST + threads);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "7500000000, 16, 12582912",
    "15000000000, 16, 23437500",
    "15000000000, 32, 23437500",
    "900000000, 16, 5625000",
    "7500000000, 2, 234375000"
  })
  void manyThreadsThatReadALargeCrawlEndTogetherSooner(long all, int threads, long smallest) {
    long full = SplitSizes.fullBytes(all, threads);
    assertThat(new SplitSizes(all, full).smallest()).isEqualTo(smallest);
    assertThat(apart(all, full, threads)).isLessThanOrEqualTo(smallest + threads);
  }

  @Test
  void splitsAreFourToSixAThreadAndFewerThanAMergeTakes() {
    long crawl = 10_000_000_000L;
    assertThat(sizes(crawl, SplitSizes.fullBytes(crawl, 1))).hasSize(14);
    assertThat(sizes(crawl, SplitSizes.fullBytes(crawl, 2))).hasSize(14);
    assertThat(sizes(crawl, SplitSizes.fullBytes(crawl, 16))).hasSize(91);
    assertThat(sizes(crawl / 10, SplitSizes.fullBytes(crawl / 10, 16))).hasSize(69);
    for (int threads = 1; threads < 1000; threads++) {
      for (long all : new long[] {0, 1, crawl / 10, crawl, 50 * crawl, 1L << 60}) {
        assertThat(sizes(all, SplitSizes.fullBytes(all, threads))).hasSizeLessThan(512);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 10, 20})
  void theFirstOfManySplitsAscendAndTheOthersAreSharesOfTheRest(int wanted) throws IOException {
    Crawl crawl = manyUnits();
    long full = crawl.bytes() / wanted;
    List<Long> bytes = bytes(crawl.splits(full));
    int threads = wanted * 2 / 5;
    long step = full / threads;
    assertThat(step).as("what makes steps of whole units ascend").isGreaterThan(LARGEST_UNIT);
    for (int i = 0; i < threads - 1; i++) {
      assertThat(bytes.get(i)).as("step %d", i).isBetween((i + 1) * step, full);
      assertThat(bytes.get(i)).as("step %d", i).isLessThan((i + 1) * step + LARGEST_UNIT);
      assertThat(bytes.get(i)).as("step %d", i).isLessThan(bytes.get(i + 1));
    }
    long smallest = new SplitSizes(crawl.bytes(), full).smallest();
    for (int i = threads - 1; i < bytes.size(); i++) {
      long rest = sum(bytes.subList(i, bytes.size()));
      long share = Math.min(full, Math.max(rest / threads, smallest));
      assertThat(bytes.get(i)).as("split %d", i).isGreaterThanOrEqualTo(Math.min(rest, share));
      assertThat(bytes.get(i)).as("split %d", i).isLessThan(share + LARGEST_UNIT);
    }
    assertThat(sum(bytes)).isEqualTo(crawl.bytes());
  }

  @Test
  void ofFewSplitsNoneButTheLastIsSmaller() throws IOException {
    Crawl crawl = manyUnits();
    for (int wanted = 1; wanted < 5; wanted++) {
      long full = crawl.bytes() / wanted;
      List<Long> bytes = bytes(crawl.splits(full));
      for (long one : bytes.subList(0, bytes.size() - 1)) {
        assertThat(one).isBetween(full, full + LARGEST_UNIT);
      }
      assertThat(bytes.get(bytes.size() - 1)).isBetween(1L, full + LARGEST_UNIT);
      assertThat(sum(bytes)).isEqualTo(crawl.bytes());
    }
  }

  @Test
  void piecesOfALargeFileBecomeLargerByACellUntilTheyAreFullAndSmallerAtItsEnd()
      throws IOException {
    long full = 32 * CELL;
    Crawl crawl = largeFile(200 * full + 12_345);
    List<Split> splits = crawl.splits(full);
    List<Long> bytes = bytes(splits);
    long left = crawl.bytes();
    for (int i = 0; i < bytes.size() - 1; i++) {
      long share = Math.max(8, left / 80 / CELL);
      assertThat(bytes.get(i))
          .as("piece %d", i)
          .isEqualTo(Math.min(Math.min(i + 1, 32), share) * CELL);
      left -= bytes.get(i);
    }
    assertThat(left).isEqualTo(bytes.get(bytes.size() - 1)).isBetween(1L, 8 * CELL);
    checkPieces(splits, crawl.bytes());
  }

  @Test
  void fewPiecesOfALargeFileAreFull() throws IOException {
    long full = 32 * CELL;
    Crawl crawl = largeFile(4 * full);
    List<Split> splits = crawl.splits(full);
    assertThat(bytes(splits)).hasSize(4).containsOnly(full);
    checkPieces(splits, crawl.bytes());
  }

  @Test
  void theStepsGoOnFromSmallFilesToThePiecesOfALargeOne() throws IOException {
    SparseFile.create(root.resolve("a.jsonl"), CELL);
    SparseFile.create(root.resolve("b.jsonl"), 2 * CELL - 1);
    SparseFile.create(root.resolve("c.jsonl"), 200 * 32 * CELL);
    Crawl crawl = open(SourceReading.format(Format.JSONL));
    List<Long> bytes = bytes(crawl.splits(32 * CELL));
    assertThat(bytes).startsWith(CELL, 2 * CELL - 1, 3 * CELL, 4 * CELL, 5 * CELL);
    assertThat(sum(bytes)).isEqualTo(crawl.bytes());
  }

  @Test
  void everyRecordOfALargeFileIsReadOnceWhenPiecesDiffer() throws Exception {
    int records = 1600;
    byte[] line = new byte[65_001];
    try (OutputStream out = Files.newOutputStream(root.resolve("a.tsv"))) {
      for (int i = 0; i < records; i++) {
        Arrays.fill(line, (byte) 'x');
        line[line.length - 1] = '\n';
        ByteBuffer.wrap(line).put((i + "\t").getBytes(US_ASCII));
        out.write(line);
      }
    }
    assertThat(bytes(open(SourceOptions.DEFAULT).splits(2 * CELL)))
        .startsWith(CELL, CELL, CELL, 2 * CELL, 2 * CELL);
    SourceReading reading = SourceReading.of(root, SourceOptions.DEFAULT, 2 * CELL);
    assertThat(reading.missedBorders).isZero();
    assertThat(reading.ids())
        .isEqualTo(IntStream.range(0, records).mapToObj(Integer::toString).toList());
  }

  @Test
  void splitsOfFewerBytesThanThereAreStepsLoseNothing() throws Exception {
    for (int i = 0; i < 300; i++) {
      Files.writeString(root.resolve("%03d.txt".formatted(i)), "text %d".formatted(i));
    }
    try (OutputStream out = Files.newOutputStream(root.resolve("large.jsonl"))) {
      String text = "word ".repeat(20_000);
      for (int i = 0; i < 95; i++) {
        out.write("{\"id\": \"%d\", \"text\": \"%s\"}\n".formatted(i, text).getBytes(US_ASCII));
      }
    }
    SourceReading whole = SourceReading.of(root);
    assertThat(whole.docs).hasSize(395);
    for (long full : new long[] {1, 2, 5, 30, 31, 32, 33, 63}) {
      SourceReading cut = SourceReading.of(root, SourceOptions.DEFAULT, full);
      assertThat(cut.docs).as("full %d", full).isEqualTo(whole.docs);
      assertThat(cut.missedBorders).isZero();
      Crawl crawl = open(SourceOptions.DEFAULT);
      assertThat(sum(bytes(crawl.splits(full)))).isEqualTo(crawl.bytes());
    }
  }

  @Test
  void bordersAreOthersForOtherPieces() throws Exception {
    Files.writeString(root.resolve("large.tsv"), "1\ta line\n".repeat(2_000_000));
    Crawl crawl = open(SourceOptions.DEFAULT);
    List<String> borders = borders(crawl.splits(CELL));
    assertThat(borders).hasSizeGreaterThan(2).doesNotHaveDuplicates();
    assertThat(borders(crawl.splits(CELL))).isEqualTo(borders);
    assertThat(borders(crawl.splits(3 * CELL)))
        .hasSizeGreaterThan(1)
        .doesNotContain(borders.get(0));
  }

  private static List<String> borders(List<Split> splits) {
    return splits.stream().map(Split::borders).toList();
  }

  /** Each piece starts where the one before it ends; the rest from it on says where that is. */
  private static void checkPieces(List<Split> splits, long fileBytes) {
    long at = 0;
    for (Split split : splits) {
      assertThat(split.ordinal() + split.piecesAfter()).isEqualTo(splits.size() - 1);
      assertThat(split.withRest().bytes()).isEqualTo(fileBytes - at);
      at += split.bytes();
    }
    assertThat(at).isEqualTo(fileBytes);
  }

  /** 720 units of 1 to 1.5 MiB. */
  private Crawl manyUnits() throws IOException {
    Random random = new Random(5);
    for (int i = 0; i < 720; i++) {
      SparseFile.create(
          root.resolve("%03d.txt".formatted(i)), LARGEST_UNIT - random.nextInt(1 << 19));
    }
    return open(SourceOptions.DEFAULT);
  }

  private Crawl largeFile(long bytes) throws IOException {
    SparseFile.create(root.resolve("a.jsonl"), bytes);
    return open(SourceReading.format(Format.JSONL));
  }

  private Crawl open(SourceOptions options) throws IOException {
    return Crawl.open(List.of(root), List.of(), options, SkipListener.NONE);
  }

  /** Bytes from the first thread's end to the last one's, if they take splits in turn. */
  private static long apart(long all, long full, int threads) {
    long[] busyUntil = new long[threads];
    for (long bytes : sizes(all, full)) {
      Arrays.sort(busyUntil);
      busyUntil[0] += bytes;
    }
    Arrays.sort(busyUntil);
    return busyUntil[threads - 1] - busyUntil[0];
  }

  /** Of all splits of a crawl that can be cut anywhere. */
  private static List<Long> sizes(long all, long full) {
    SplitSizes sizes = new SplitSizes(all, full);
    List<Long> bytes = new ArrayList<>();
    for (long at = 0; at < all; at += bytes.getLast()) {
      bytes.add(Math.min(all - at, sizes.bytes(bytes.size(), at)));
    }
    return bytes;
  }

  private static List<Long> bytes(List<Split> splits) {
    return splits.stream().map(Split::bytes).toList();
  }

  private static long sum(List<Long> bytes) {
    return bytes.stream().mapToLong(Long::longValue).sum();
  }

  /** As many for each thread, and none of more than the given bytes. */
  @ParameterizedTest
  @CsvSource({"1000, 16, 700, 63", "1000, 4, 100, 84", "5, 16, 100, 1", "1600, 16, 100, 100"})
  void evenSplitsAreThreadsSharesOrEqualPartsOfThese(
      long all, int threads, long most, long expected) {
    SplitSizes sizes = SplitSizes.even(all, threads, most);
    assertThat(sizes.fullBytes()).isEqualTo(expected);
    assertThat(sizes.bytes(0, 0)).isEqualTo(expected);
    assertThat(sizes.bytes(7, all - 1)).isEqualTo(expected);
  }

  /** So that there is not one more than there are threads. */
  @Test
  void evenSplitsMakeUpForOnesThatAreTooSmallOrTooLarge() {
    SplitSizes sizes = new SplitSizes(1_600_000, 100_000, true, true);
    assertThat(sizes.enough(100_000, 3, 295_000, 0)).isEqualTo(105_000);
    assertThat(sizes.enough(100_000, 3, 308_000, 0)).isEqualTo(92_000);
    assertThat(sizes.enough(100_000, 3, 100_000, 0)).isEqualTo(112_500);
    assertThat(sizes.enough(100_000, 3, 1_000_000, 0)).isEqualTo(87_500);
  }

  @ParameterizedTest
  @CsvSource({"1.0, 1", "1.12, 1", "1.13, 2", "1.49, 2", "2.0, 2", "2.25, 2", "2.3, 3", "16, 16"})
  void aFileIsCutIntoAsFewEvenPiecesAsDoNotExceedTheSize(double fulls, long pieces) {
    SplitSizes sizes = new SplitSizes(1_600_000, 100_000, true, true);
    long file = (long) (100_000 * fulls);
    assertThat(sizes.exceeds(file, 100_000)).isEqualTo(fulls > 1.125);
    assertThat(Math.ceilDiv(file, sizes.pieceBytes(file, 100_000))).isEqualTo(pieces);
  }

  @Test
  void evenSplitsOfWholeFilesEndNearTheirSize() {
    SplitSizes sizes = new SplitSizes(1_600_000, 100_000, true, true);
    assertThat(sizes.enough(100_000, 0, 0, 10_000)).isEqualTo(95_000);
    assertThat(sizes.enough(100_000, 0, 0, 90_000)).isEqualTo(87_500);
    assertThat(sizes.endsBefore(80_000, 40_000, 100_000)).isTrue();
    assertThat(sizes.endsBefore(80_000, 30_000, 100_000)).isFalse();
    assertThat(sizes.endsBefore(0, 200_000, 100_000)).isFalse();
  }
}
