package io.kmodel.indexer.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class FlippedBitTest {
  @Test
  void everySingleBitIsFound() {
    byte[] bytes = random(1000);
    long expected = checksum(bytes);
    for (int bit = 0; bit < 8 * bytes.length; bit++) {
      bytes[bit / 8] ^= (byte) (1 << (bit % 8));
      assertThat(FlippedBit.find(checksum(bytes), expected, bytes.length)).hasValue(bit);
      bytes[bit / 8] ^= (byte) (1 << (bit % 8));
    }
  }

  @Test
  void twoBitsAreNotTakenForOne() {
    byte[] bytes = random(300);
    long expected = checksum(bytes);
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 2000; i++) {
      int one = random.nextInt(8 * bytes.length);
      int other = (one + 1 + random.nextInt(8 * bytes.length - 1)) % (8 * bytes.length);
      byte[] damaged = bytes.clone();
      damaged[one / 8] ^= (byte) (1 << (one % 8));
      damaged[other / 8] ^= (byte) (1 << (other % 8));
      assertThat(FlippedBit.find(checksum(damaged), expected, bytes.length)).isEmpty();
    }
  }

  @Test
  void aBitOfTheChecksumItselfIsNotTakenForOneOfTheContent() {
    byte[] bytes = random(5000);
    long checksum = checksum(bytes);
    for (int bit = 0; bit < 32; bit++) {
      assertThat(FlippedBit.find(checksum, checksum ^ 1L << bit, bytes.length)).isEmpty();
    }
    assertThat(FlippedBit.find(1, 0, 0)).isEmpty();
  }

  @Test
  void wordsNameTheByteWhereOneBitIsWrong() {
    byte[] bytes = random(1000);
    long expected = checksum(bytes);
    bytes[777] ^= 4;
    assertThat(FlippedBit.describe(checksum(bytes), expected, bytes.length))
        .isEqualTo("one bit of the byte at offset 777 flipped?");
    bytes[999] ^= 1;
    assertThat(FlippedBit.describe(checksum(bytes), expected, bytes.length))
        .isEqualTo("file altered or truncated?");
  }

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new SplittableRandom(length).nextBytes(bytes);
    return bytes;
  }

  private static long checksum(byte[] bytes) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes);
    return checksum.getValue();
  }
}
