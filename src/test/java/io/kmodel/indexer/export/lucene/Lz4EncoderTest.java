package io.kmodel.indexer.export.lucene;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.util.compress.LZ4;
import org.junit.jupiter.api.Test;

/** Lucene's own LZ4 says what every byte must be. */
class Lz4EncoderTest {
  private final Lz4Encoder encoder = new Lz4Encoder();

  @Test
  void shortAndEqualBytesAreCompressedAsByLucene() throws Exception {
    for (int length = 0; length < 600; length++) {
      assertSame(new byte[length]);
    }
  }

  @Test
  void bytesOfAllKindsAreCompressedAsByLucene() throws Exception {
    for (int seed = 0; seed < 3000; seed++) {
      Random random = new Random(seed);
      byte[] bytes = new byte[random.nextInt(1 << (1 + random.nextInt(13)))];
      int values = 1 + random.nextInt(1 << random.nextInt(9));
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) random.nextInt(values);
      }
      assertSame(bytes);
      repeatPieces(bytes, random);
      assertSame(bytes);
    }
  }

  @Test
  void namesOfFilesAreCompressedAsByLucene() throws Exception {
    StringBuilder names = new StringBuilder();
    for (int i = 0; i < 400; i++) {
      names.append("chapter-%d/section-%03d/page%x.html".formatted(i / 50, i % 7, i * i));
    }
    assertSame(names.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** So many that their places have other hashes in common. */
  @Test
  void longOnesAreCompressedAsByLucene() throws Exception {
    Random random = new Random(9);
    for (int length : new int[] {40_000, 65_534, 65_535, 65_536, 65_537, 200_000}) {
      byte[] bytes = new byte[length];
      random.nextBytes(bytes);
      repeatPieces(bytes, random);
      assertSame(bytes);
      for (int i = 0; i < length; i++) {
        bytes[i] &= 3;
      }
      assertSame(bytes);
    }
  }

  private static void repeatPieces(byte[] bytes, Random random) {
    for (int i = 0; i < 20 && bytes.length > 1; i++) {
      int length = random.nextInt(bytes.length);
      int from = random.nextInt(bytes.length - length);
      int to = random.nextInt(bytes.length - length);
      System.arraycopy(bytes, from, bytes, to, Math.min(length, 300));
    }
  }

  private void assertSame(byte[] bytes) throws IOException {
    ByteBuffersDataOutput expected = new ByteBuffersDataOutput();
    LZ4.compress(bytes, 0, bytes.length, expected, new LZ4.HighCompressionHashTable());
    PostingsBytes actual = new PostingsBytes();
    // What is behind them is not theirs.
    encoder.compress(Arrays.copyOf(bytes, bytes.length + 7), bytes.length, actual);
    assertThat(Arrays.copyOf(actual.array(), actual.size())).isEqualTo(expected.toArrayCopy());
  }
}
