package io.kmodel.indexer.export.lucene.postings;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.Tier;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.util.compress.LZ4;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares all bytes with those of Lucene's LZ4. */
class Lz4EncoderTest {
  private final Lz4Encoder encoder = new Lz4Encoder();

  @Test
  void shortInputsAndEqualBytesAreCompressedAsByLucene() throws Exception {
    for (int length = 0; length < 600; length++) {
      assertSame(new byte[length]);
    }
  }

  @Test
  void randomBytesAreCompressedAsByLucene() throws Exception {
    for (int seed = 0; seed < Tier.pick(300, 3000); seed++) {
      Random random = new Random(seed);
      byte[] bytes = new byte[random.nextInt(1 << (1 + random.nextInt(13)))];
      int values = 1 + random.nextInt(1 << random.nextInt(9));
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) random.nextInt(values);
      }
      assertSame(bytes, "seed " + seed);
      repeatPieces(bytes, random);
      assertSame(bytes, "seed " + seed + " with repeated pieces");
    }
  }

  @Test
  void fileNamesAreCompressedAsByLucene() throws Exception {
    StringBuilder names = new StringBuilder();
    for (int i = 0; i < 400; i++) {
      names.append("chapter-%d/section-%03d/page%x.html".formatted(i / 50, i % 7, i * i));
    }
    assertSame(names.toString().getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void longInputsAreCompressedAsByLucene() throws Exception {
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

  /** A match is found after 255 other offsets with its hash, but not after more. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 200, 254, 255, 256, 257, 300})
  void theSearchEndsWhereLucenesDoes(int collisions) throws Exception {
    ByteBuffer bytes = ByteBuffer.allocate(4 * collisions + 100).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i <= collisions; i++) {
      bytes.putInt(withEqualHash(i));
    }
    bytes.putInt(withEqualHash(0));
    byte[] all = bytes.array();
    assertSame(all);
    EncodedBytes compressed = new EncodedBytes();
    encoder.compress(all, all.length, compressed);
    String text = new String(compressed.array(), 0, compressed.size(), StandardCharsets.ISO_8859_1);
    String four = new String(all, 0, 4, StandardCharsets.ISO_8859_1);
    assertThat(text.lastIndexOf(four) > text.indexOf(four)).isEqualTo(collisions > 255);
  }

  /** Different four bytes for each number, all with the hash 77. */
  private static int withEqualHash(int number) {
    BigInteger all = BigInteger.TWO.pow(32);
    BigInteger inverse = BigInteger.valueOf(-1640531535).modInverse(all);
    return BigInteger.valueOf((77L << 17) + number).multiply(inverse).intValue();
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
    assertSame(bytes, bytes.length + " bytes");
  }

  private void assertSame(byte[] bytes, String description) throws IOException {
    ByteBuffersDataOutput expected = new ByteBuffersDataOutput();
    LZ4.compress(bytes, 0, bytes.length, expected, new LZ4.HighCompressionHashTable());
    EncodedBytes actual = new EncodedBytes();
    // The array is longer than the input.
    encoder.compress(Arrays.copyOf(bytes, bytes.length + 7), bytes.length, actual);
    assertThat(Arrays.copyOf(actual.array(), actual.size()))
        .as(description)
        .isEqualTo(expected.toArrayCopy());
  }
}
