package io.kmodel.indexer.index.postings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.store.ByteReader;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.store.InputFile;
import io.kmodel.indexer.store.OutputFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IntBlockTest {
  private static final int SIZE = PostingsCursor.BLOCK;

  @Test
  void valuesOfEveryWidthWithAnyNumberOfOutliersAreReadBack(@TempDir Path directory)
      throws IOException {
    Random random = new Random(1);
    List<int[]> blocks = new ArrayList<>();
    for (int bits = 0; bits <= 31; bits++) {
      for (int outliers : new int[] {0, 1, 2, 15, 30, 31, 32, 33, 128, 255, 256}) {
        blocks.add(block(random, bits, outliers));
      }
    }
    checkRoundTrip(directory, blocks);
  }

  @Test
  void everyPlaceCanHoldAnOutlier(@TempDir Path directory) throws IOException {
    List<int[]> blocks = new ArrayList<>();
    for (int i = 0; i < SIZE; i++) {
      int[] values = new int[SIZE];
      Arrays.fill(values, 3);
      values[i] = Integer.MAX_VALUE - i;
      blocks.add(values);
    }
    checkRoundTrip(directory, blocks);
  }

  @Test
  void asManyOutliersAsThereMayBeCanComeFirst(@TempDir Path directory) throws IOException {
    List<int[]> blocks = new ArrayList<>();
    for (int outliers = 30; outliers <= 32; outliers++) {
      int[] values = new int[SIZE];
      Arrays.fill(values, 3);
      Arrays.fill(values, 0, outliers, 1000);
      blocks.add(values);
    }
    checkRoundTrip(directory, blocks);
  }

  @Test
  void onlyTheFirst256ValuesAreWritten(@TempDir Path directory) throws IOException {
    int[] more = new int[2 * SIZE];
    Arrays.fill(more, SIZE, 2 * SIZE, Integer.MAX_VALUE);
    assertThat(write(directory.resolve("file"), List.of(more))).isEqualTo(2);
  }

  @Test
  void aBlockIsNeverLargerThanPlainNumbersAndOutliersAreCheap(@TempDir Path directory)
      throws IOException {
    Random random = new Random(2);
    int[] wide = block(random, 31, 0);
    wide[0] = Integer.MAX_VALUE;
    assertThat(write(directory.resolve("wide"), List.of(wide))).isLessThanOrEqualTo(31 * 32 + 2);
    int[] one = block(random, 3, 0);
    one[0] = 7;
    one[77] = 1 << 20;
    assertThat(write(directory.resolve("one"), List.of(one))).isLessThanOrEqualTo(3 * 32 + 2 + 4);
  }

  @Test
  void negativeNumbersAreRefused(@TempDir Path directory) {
    for (int place : new int[] {0, 77, 255}) {
      int[] values = new int[SIZE];
      values[place] = Integer.MIN_VALUE;
      assertThatThrownBy(() -> write(directory.resolve("file"), List.of(values)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aBlockOfImpossibleWidthOrOutliersIsReported(@TempDir Path directory) throws IOException {
    for (int[] header : new int[][] {{33, 0}, {255, 0}, {3, 200}, {32, 1}}) {
      Path file = directory.resolve("file");
      try (OutputFile out = OutputFile.create(file, "blocks", 1)) {
        out.writeByte(header[0]);
        out.writeByte(header[1]);
        out.writeBytes(new byte[100], 0, 100);
        out.commitUnforced();
      }
      try (InputFile in = InputFile.map(file, "blocks", 1)) {
        assertThatThrownBy(() -> new IntBlock().read(in.reader(2048), new int[SIZE]))
            .isInstanceOf(CorruptIndexException.class);
        assertThatThrownBy(() -> IntBlock.skip(in.reader(2048)))
            .isInstanceOf(CorruptIndexException.class);
      }
    }
  }

  /** Values below 2^bits but for some larger ones. */
  private static int[] block(Random random, int bits, int outliers) {
    int[] values = new int[SIZE];
    for (int i = 0; i < SIZE; i++) {
      values[i] = (int) (random.nextLong() & ((1L << bits) - 1));
    }
    for (int i = 0; i < outliers; i++) {
      values[random.nextInt(SIZE)] = random.nextInt() >>> 1 >>> random.nextInt(31);
    }
    return values;
  }

  private static void checkRoundTrip(Path directory, List<int[]> blocks) throws IOException {
    Path path = directory.resolve("blocks");
    long bytes = write(path, blocks);
    IntBlock codec = new IntBlock();
    int[] values = new int[SIZE];
    try (InputFile in = InputFile.map(path, "blocks", 1)) {
      ByteReader reader = in.reader(2048);
      ByteReader skipper = in.reader(2048);
      for (int[] block : blocks) {
        Arrays.fill(values, -1);
        codec.read(reader, values);
        assertThat(values).isEqualTo(block);
        IntBlock.skip(skipper);
        assertThat(skipper.position()).isEqualTo(reader.position());
      }
      assertThat(reader.remaining()).isZero();
      assertThat(reader.position() - in.bodyStart()).isEqualTo(bytes);
    }
  }

  private static long write(Path path, List<int[]> blocks) throws IOException {
    IntBlock codec = new IntBlock();
    try (OutputFile out = OutputFile.create(path, "blocks", 1)) {
      long start = out.position();
      for (int[] block : blocks) {
        codec.write(block, out);
      }
      long bytes = out.position() - start;
      out.commitUnforced();
      return bytes;
    }
  }
}
