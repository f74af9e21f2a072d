package io.kmodel.indexer.source;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The first of many splits are smaller. Files that nobody reads here are holes. */
class RampTest {
  private static final long CELL = RecordFile.CELL_BYTES;
  private static final int LARGEST_UNIT = FileList.UNIT_BYTES + (1 << 19);

  @TempDir Path root;

  @ParameterizedTest
  @ValueSource(ints = {12, 24, 48})
  void ofManySplitsTheFirstAreSmallerEachLargerThanTheOneBefore(int wanted) throws IOException {
    Crawl crawl = manyUnits();
    long target = crawl.bytes() / wanted;
    List<Long> bytes = bytes(crawl.splits(target));
    int steps = wanted / 6 - 1;
    long step = target / (steps + 1);
    assertThat(step).as("what makes steps of whole units ascend").isGreaterThan(LARGEST_UNIT);
    assertThat(bytes.get(0)).isBetween(step, step + LARGEST_UNIT);
    for (int i = 0; i < steps; i++) {
      assertThat(bytes.get(i)).as("step %d", i).isLessThan(target).isLessThan(bytes.get(i + 1));
    }
    checkFull(bytes.subList(steps, bytes.size()), target);
    assertThat(sum(bytes)).isEqualTo(crawl.bytes());
  }

  @Test
  void ofFewSplitsNoneButTheLastIsSmaller() throws IOException {
    Crawl crawl = manyUnits();
    for (int wanted = 1; wanted < 12; wanted++) {
      long target = crawl.bytes() / wanted;
      List<Long> bytes = bytes(crawl.splits(target));
      checkFull(bytes, target);
      assertThat(sum(bytes)).isEqualTo(crawl.bytes());
    }
  }

  @Test
  void piecesOfALargeFileBecomeLargerByACellUntilTheyAreFull() throws IOException {
    long target = 32 * CELL;
    Crawl crawl = largeFile(200 * target + 12_345);
    List<Split> splits = crawl.splits(target);
    List<Long> bytes = bytes(splits);
    for (int i = 0; i < bytes.size() - 1; i++) {
      assertThat(bytes.get(i)).as("piece %d", i).isEqualTo(Math.min(i + 1, 32) * CELL);
    }
    assertThat(bytes.get(bytes.size() - 1)).isBetween(1L, target);
    checkPieces(splits, crawl.bytes());
  }

  @Test
  void fewPiecesOfALargeFileAreFullFromTheFirstOn() throws IOException {
    long target = 32 * CELL;
    Crawl crawl = largeFile(11 * target);
    List<Split> splits = crawl.splits(target);
    assertThat(bytes(splits)).hasSize(11).containsOnly(target);
    checkPieces(splits, crawl.bytes());
  }

  @Test
  void theRampGoesOnFromSmallFilesToThePiecesOfALargeOne() throws IOException {
    sparse(root.resolve("a.jsonl"), CELL);
    sparse(root.resolve("b.jsonl"), 2 * CELL - 1);
    sparse(root.resolve("c.jsonl"), 200 * 32 * CELL);
    Crawl crawl = open(SourceReading.format(Format.JSONL));
    List<Long> bytes = bytes(crawl.splits(32 * CELL));
    assertThat(bytes).startsWith(CELL, 2 * CELL - 1, 3 * CELL, 4 * CELL, 5 * CELL);
    assertThat(sum(bytes)).isEqualTo(crawl.bytes());
  }

  @Test
  void everyRecordOfALargeFileIsReadOnceWhenItsFirstPieceIsSmaller() throws Exception {
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
    List<Split> splits = open(SourceOptions.DEFAULT).splits(2 * CELL);
    assertThat(bytes(splits)).startsWith(CELL, 2 * CELL, 2 * CELL);
    List<String> ids = new ArrayList<>();
    for (Split split : splits) {
      try (DocumentReader reader = split.open(SkipListener.NONE)) {
        for (RawDocument d = reader.next(); d != null; d = reader.next()) {
          ids.add(d.id());
        }
        assertThat(reader.missedBorder()).isFalse();
      }
    }
    assertThat(ids).isEqualTo(IntStream.range(0, records).mapToObj(Integer::toString).toList());
  }

  @Test
  void aTargetOfFewerBytesThanThereAreStepsLosesNothing() throws Exception {
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
    for (long target : new long[] {1, 2, 5, 30, 31, 32, 33, 63}) {
      SourceReading cut = SourceReading.of(root, SourceOptions.DEFAULT, target);
      assertThat(cut.docs).as("target %d", target).isEqualTo(whole.docs);
      assertThat(cut.missedBorders).isZero();
      Crawl crawl = open(SourceOptions.DEFAULT);
      assertThat(sum(bytes(crawl.splits(target)))).isEqualTo(crawl.bytes());
    }
  }

  /** All but the last reach the target, with the unit that brings them there. */
  private static void checkFull(List<Long> bytes, long target) {
    for (long one : bytes.subList(0, bytes.size() - 1)) {
      assertThat(one).isBetween(target, target + LARGEST_UNIT);
    }
    assertThat(bytes.get(bytes.size() - 1)).isBetween(1L, target + LARGEST_UNIT);
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
      sparse(root.resolve("%03d.txt".formatted(i)), LARGEST_UNIT - random.nextInt(1 << 19));
    }
    return open(SourceOptions.DEFAULT);
  }

  private Crawl largeFile(long bytes) throws IOException {
    sparse(root.resolve("a.jsonl"), bytes);
    return open(SourceReading.format(Format.JSONL));
  }

  private Crawl open(SourceOptions options) throws IOException {
    return Crawl.open(List.of(root), List.of(), options, SkipListener.NONE);
  }

  private static void sparse(Path file, long bytes) throws IOException {
    try (SeekableByteChannel channel =
        Files.newByteChannel(
            file,
            StandardOpenOption.WRITE,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.SPARSE)) {
      channel.position(bytes - 1).write(ByteBuffer.allocate(1));
    }
  }

  private static List<Long> bytes(List<Split> splits) {
    return splits.stream().map(Split::bytes).toList();
  }

  private static long sum(List<Long> bytes) {
    return bytes.stream().mapToLong(Long::longValue).sum();
  }
}
