package io.kmodel.indexer.source.parquet;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.xerial.snappy.Snappy;

class SnappyBlockTest {
  private static byte[] unpacked(byte[] packed, int length) throws IOException {
    byte[] out = new byte[length];
    // The block lies between other bytes.
    byte[] in = new byte[packed.length + 2];
    System.arraycopy(packed, 0, in, 1, packed.length);
    SnappyBlock.unpack(in, 1, packed.length, out);
    return out;
  }

  @Test
  void theExampleIsAsDescribed() throws IOException {
    assertThat(unpacked(HexFormat.of().parseHex("060461620102"), 6)).asString().isEqualTo("ababab");
  }

  @Test
  void everythingThatSnappyPacksIsUnpacked() throws IOException {
    Random random = new Random(1);
    for (int round = 0; round < 300; round++) {
      byte[] plain = new byte[random.nextInt(1 << random.nextInt(19))];
      int letters = 1 + random.nextInt(random.nextBoolean() ? 3 : 256);
      for (int i = 0; i < plain.length; i++) {
        plain[i] = (byte) random.nextInt(letters);
      }
      for (int copies = random.nextInt(20); copies > 0 && plain.length > 100; copies--) {
        int length = random.nextInt(plain.length / 2);
        System.arraycopy(plain, 0, plain, random.nextInt(plain.length - length), length);
      }
      assertThat(unpacked(Snappy.compress(plain), plain.length)).isEqualTo(plain);
    }
  }

  /** A copy from more than 64 KiB before, which compressors do not make. */
  @Test
  void copiesFromFarBackAreUnpacked() throws IOException {
    byte[] plain = new byte[70_004];
    new Random(2).nextBytes(plain);
    System.arraycopy(plain, 0, plain, 70_000, 4);
    byte[] packed = new byte[3 + 4 + 70_000 + 5];
    byte[] start = HexFormat.of().parseHex("f4a204f86f1101");
    System.arraycopy(start, 0, packed, 0, start.length);
    System.arraycopy(plain, 0, packed, start.length, 70_000);
    byte[] copy = HexFormat.of().parseHex("0f70110100");
    System.arraycopy(copy, 0, packed, start.length + 70_000, copy.length);
    assertThat(unpacked(packed, plain.length)).isEqualTo(plain);
  }

  @Test
  void damageEndsInAnExceptionOrInBytes() throws IOException {
    Random random = new Random(4);
    byte[] plain = "one two two three three three ".repeat(20).getBytes(US_ASCII);
    byte[] packed = Snappy.compress(plain);
    for (int i = 0; i < packed.length; i++) {
      byte[] cut = Arrays.copyOf(packed, i);
      assertThatThrownBy(() -> unpacked(cut, plain.length)).isInstanceOf(IOException.class);
      for (int round = 0; round < 100; round++) {
        byte[] damaged = packed.clone();
        damaged[i] = (byte) random.nextInt(256);
        damaged[random.nextInt(packed.length)] = (byte) random.nextInt(256);
        assertThatCode(() -> tried(damaged, plain.length)).doesNotThrowAnyException();
      }
    }
    assertThatThrownBy(() -> unpacked(packed, plain.length + 1))
        .hasMessage("Snappy block of another length");
  }

  private static void tried(byte[] packed, int length) {
    try {
      unpacked(packed, length);
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("Snappy block");
    }
  }
}
