package io.kmodel.indexer.parse;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** The oracle is the JDK's decoder. */
class Utf8TextTest {
  private final Utf8Text utf8 = new Utf8Text();

  @Property(tries = 5000)
  void bytesDecodeAsTheJdkDecodesThem(@ForAll byte[] bytes) {
    assertDecoded(bytes, false);
  }

  @Property(tries = 2000)
  void damagedUtf8DecodesAsTheJdkDecodesIt(@ForAll long seed) {
    Random random = new Random(seed);
    byte[] bytes = new byte[0];
    for (int i = 0; i < 12; i++) {
      String character =
          Character.toString(random.nextInt(1 << (4 + random.nextInt(17))) % 0x110000);
      byte[] encoded = character.getBytes(StandardCharsets.UTF_8);
      int length = random.nextInt(8) == 0 ? random.nextInt(encoded.length) : encoded.length;
      int end = bytes.length;
      bytes = Arrays.copyOf(bytes, end + length);
      System.arraycopy(encoded, 0, bytes, end, length);
    }
    assertDecoded(bytes, false);
  }

  @Test
  void everyLeadByteWithEverySecondByteDecodesAsTheJdkDecodesIt() {
    for (int first = 0x80; first < 0x100; first++) {
      for (int second = 0; second < 0x100; second++) {
        byte[] bytes = {'a', (byte) first, (byte) second, (byte) 0x80, (byte) 0xBF, 'b', 'c', 'd'};
        assertDecoded(bytes, false);
        assertDecoded(Arrays.copyOf(bytes, 4), false);
      }
    }
  }

  @Test
  void theTablesOfCharsetsAreTheJdks() {
    for (String charset : new String[] {"windows-1252", "windows-1251", "KOI8-R", "iso-8859-7"}) {
      byte[] declared = ("<meta charset=" + charset + ">").getBytes(StandardCharsets.US_ASCII);
      byte[] bytes = Arrays.copyOf(declared, declared.length + 0x100);
      for (int i = 0; i < 0x100; i++) {
        bytes[declared.length + i] = (byte) i;
      }
      assertDecoded(bytes, true);
      assertDecoded(bytes, true);
    }
  }

  @Test
  void validUtf8StaysWhereItIs() {
    byte[] bytes = "\uFEFFGröße".getBytes(StandardCharsets.UTF_8);
    utf8.set(bytes, bytes.length, false);
    assertThat(utf8.bytes()).isSameAs(bytes);
    assertThat(utf8.from()).isEqualTo(3);
    assertThat(utf8.end()).isEqualTo(bytes.length);
  }

  @Test
  void theNonCharacterIsReported() {
    byte[] bytes = "a\uFFFFb".getBytes(StandardCharsets.UTF_8);
    utf8.set(bytes, bytes.length, false);
    assertThat(utf8.nonCharacters()).isOne();
    byte[] invalid = "a\uFFFFb?".getBytes(StandardCharsets.UTF_8);
    invalid[invalid.length - 1] = (byte) 0xFF;
    utf8.set(invalid, invalid.length, false);
    assertThat(utf8.nonCharacters()).isOne();
    utf8.set(new byte[] {'a'}, 1, false);
    assertThat(utf8.nonCharacters()).isZero();
  }

  private void assertDecoded(byte[] bytes, boolean html) {
    utf8.set(bytes, bytes.length, html);
    String expected =
        html ? TextDecoder.html(bytes, bytes.length) : TextDecoder.plainText(bytes, bytes.length);
    byte[] actual = Arrays.copyOfRange(utf8.bytes(), utf8.from(), utf8.end());
    assertThat(actual).isEqualTo(expected.getBytes(StandardCharsets.UTF_8));
  }
}
