package io.kmodel.indexer.parse.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;
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

  @Test
  void theFirstByteThatIsNoCharacterIsNamed() {
    assertThat(undecodable("a\u00E9b", StandardCharsets.ISO_8859_1, ""))
        .hasToString("invalid UTF-8 at byte 1: E9");
    assertThat(undecodable("a\u0081\u0098", StandardCharsets.ISO_8859_1, "windows-1251"))
        .hasToString("invalid windows-1251 at byte 2: 98");
    assertThat(undecodable("\u83BF\u8140", StandardCharsets.UTF_16BE, "shift_jis")).isNull();
    assertThat(undecodable("abc\u00FF", StandardCharsets.ISO_8859_1, "shift_jis"))
        .hasToString("invalid windows-31j at byte 3: FF");
    assertThat(undecodable("\u00FF\u00FEa\0\0\u00D8b\0", StandardCharsets.ISO_8859_1, ""))
        .hasToString("invalid UTF-16LE at byte 4: 00");
    assertThat(undecodable("\u000E\u009Ca", StandardCharsets.ISO_8859_1, "ISO-2022-KR"))
        .hasToString("contains bytes that are not ISO-2022-KR");
    assertThat(
            undecodable(
                "\u00FF\u00FE\0\0a\0\0\0\0\u00D8\0\0b\0\0\0xx", StandardCharsets.ISO_8859_1, ""))
        .hasToString("invalid UTF-32LE at byte 8: 00");
    for (String encoding : new String[] {"UTF-32LE", "UTF-32BE"}) {
      String odd = "\uFEFF\u00E9" + "x".repeat(5000) + "?";
      byte[] bytes = odd.getBytes(Charset.forName(encoding));
      boolean little = encoding.endsWith("LE");
      bytes[bytes.length - (little ? 3 : 2)] = (byte) 0xDF;
      utf8.set(bytes, bytes.length, false);
      assertThat(utf8.undecodable())
          .hasToString("invalid %s at byte 20,008: %s".formatted(encoding, little ? "3F" : "00"));
    }
  }

  @Test
  void theReplacementCharacterItselfIsACharacter() {
    for (String charset : new String[] {"UTF-8", "UTF-16LE", "UTF-16BE", "UTF-32LE", "GB18030"}) {
      byte[] bytes = "\uFEFFa\uFFFDb".getBytes(Charset.forName(charset));
      utf8.set(bytes, bytes.length, false, charset);
      assertThat(utf8.undecodable()).as(charset).isNull();
      assertThat(new String(utf8.bytes(), utf8.from(), utf8.end() - utf8.from(), UTF_8))
          .endsWith("a\uFFFDb");
    }
  }

  private @Nullable Undecodable undecodable(String text, Charset as, String declared) {
    byte[] bytes = text.getBytes(as);
    utf8.set(bytes, bytes.length, false, declared);
    return utf8.undecodable();
  }

  private void assertDecoded(byte[] bytes, boolean html) {
    utf8.set(bytes, bytes.length, html);
    String expected =
        html ? TextDecoder.html(bytes, bytes.length) : TextDecoder.plainText(bytes, bytes.length);
    byte[] actual = Arrays.copyOfRange(utf8.bytes(), utf8.from(), utf8.end());
    assertThat(actual).isEqualTo(expected.getBytes(StandardCharsets.UTF_8));
    TextDecoder.Encoding encoding = TextDecoder.encoding(bytes, bytes.length, html);
    assertThat(utf8.undecodable())
        .isEqualTo(TextDecoder.undecodable(bytes, bytes.length, encoding, expected));
  }
}
