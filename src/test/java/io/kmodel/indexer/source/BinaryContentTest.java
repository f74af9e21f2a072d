package io.kmodel.indexer.source;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.primitives.Chars;
import io.kmodel.indexer.source.record.ContentSniffer;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is binary, eight bytes at a time, against the rule byte by byte. */
class BinaryContentTest {
  private static final int WINDOW = ContentSniffer.WINDOW_BYTES;

  /** Odd controls, those of texts, the neighbours of both, and bytes of byte order marks. */
  private static final int[] BYTES = {
    0, 1, 8, 0x0D, 0x1B, 0x1F, 0x20, 0x7F, 0x80, 0xA0, 0xFE, 0xFF, '<', 'a'
  };

  @Property(tries = 20_000, shrinking = ShrinkingMode.OFF)
  void shortBytesAreBinaryWhereTheRuleSaysSo(@ForAll long seed) {
    Random random = new Random(seed);
    check(random, random.nextInt(41));
  }

  @Property(tries = 1_000, shrinking = ShrinkingMode.OFF)
  void bytesAboutAsManyAsTheWindowAreBinaryWhereTheRuleSaysSo(@ForAll long seed) {
    Random random = new Random(seed);
    check(random, WINDOW - 12 + random.nextInt(25));
  }

  @Test
  void everyByteAtEveryPlaceOfEightIsSeen() {
    for (int background : new int[] {'a', 0x80, 0xE9, 0x20, 0x7E}) {
      for (int value = 0; value < 256; value++) {
        for (int place = 0; place < 24; place++) {
          // Two odd controls are too many for 24 bytes, and one is for 15.
          byte[] bytes = filled(24, background);
          bytes[(place + 11) % 24] = 1;
          bytes[place] = (byte) value;
          assertSame(bytes, 0, 24);
          bytes = filled(15, background);
          bytes[place % 15] = (byte) value;
          assertSame(bytes, 0, 15);
        }
      }
    }
  }

  @Test
  void deleteCountsAtEveryPlaceAlsoBesideWhatIsNotAscii() {
    for (int background : new int[] {'a', 0x80, 0xFF, 0x7E}) {
      for (int place = 0; place < 8; place++) {
        byte[] bytes = filled(8, background);
        bytes[place] = 0x7F;
        assertThat(ContentSniffer.binary(bytes, 8))
            .isEqualTo("1 control characters in the first 8 bytes");
      }
    }
  }

  @Test
  void theFirstNulIsNamedWhateverStandsBesideIt() {
    for (int beside : new int[] {0x01, 0x20, 0x80, 0xFF}) {
      for (int place = 0; place < 16; place++) {
        byte[] bytes = filled(24, 'a');
        bytes[place + 1] = (byte) beside;
        bytes[place] = 0;
        bytes[23] = 0;
        assertThat(ContentSniffer.binary(bytes, 24)).isEqualTo("NUL at byte " + place);
      }
    }
  }

  @Test
  void aMagicCountsWhereTheBytesStartAndNowhereElse() {
    byte[] bytes = "abc%PDF-1.7".getBytes(US_ASCII);
    assertThat(ContentSniffer.binary(bytes, 3, 8)).isEqualTo("starts with the PDF signature");
    assertThat(ContentSniffer.binary(bytes, 3, 4)).isNull();
    assertThat(ContentSniffer.binary(bytes, 0, 11)).isNull();
  }

  @Test
  void onlyWideCharactersMayHoldNulsBehindTheirByteOrderMark() {
    byte[] wide = "\uFEFFa\0".getBytes(UTF_16BE);
    assertThat(ContentSniffer.binary(wide, wide.length)).isNull();
    byte[] narrow = "\uFEFFa\0".getBytes(UTF_8);
    assertThat(ContentSniffer.binary(narrow, narrow.length)).isEqualTo("NUL at byte 4");
  }

  private static void check(Random random, int length) {
    int from = random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(9);
    int among = 1 + random.nextInt(BYTES.length);
    int usual = BYTES[4 + random.nextInt(BYTES.length - 4)];
    int rare = random.nextInt(40);
    byte[] bytes = new byte[from + length + random.nextInt(10)];
    for (int i = 0; i < bytes.length; i++) {
      int any = BYTES[(random.nextInt(among) + random.nextInt(3)) % BYTES.length];
      bytes[i] = (byte) (random.nextInt(40) < rare ? usual : any);
    }
    if (random.nextBoolean()) {
      // Else hardly any is without one.
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = bytes[i] == 0 ? (byte) usual : bytes[i];
      }
    }
    assertSame(bytes, from, length);
  }

  private static void assertSame(byte[] bytes, int from, int length) {
    byte[] before = bytes.clone();
    assertThat(ContentSniffer.binary(bytes, from, length))
        .as("%d bytes from %d on", length, from)
        .isEqualTo(rule(bytes, from, length));
    assertThat(bytes).isEqualTo(before);
    if (from == 0) {
      assertThat(ContentSniffer.binary(bytes, length)).isEqualTo(rule(bytes, 0, length));
    }
  }

  /** None of these bytes begin as a binary format does. */
  private static @Nullable String rule(byte[] bytes, int from, int available) {
    int length = Math.min(available, WINDOW);
    if (isWide(bytes, from, length)) {
      return null;
    }
    int odd = 0;
    for (int i = 0; i < length; i++) {
      int value = bytes[from + i] & 0xFF;
      if (value == 0) {
        return "NUL at byte " + i;
      }
      boolean usual = (value >= 0x08 && value <= 0x0D) || value == 0x1B;
      odd += (value < 0x20 || value == 0x7F) && !usual ? 1 : 0;
    }
    return 16 * odd > length ? odd + " control characters in the first " + length + " bytes" : null;
  }

  private static boolean isWide(byte[] bytes, int from, int length) {
    int first = length < 2 ? 0 : Chars.fromBytes(bytes[from], bytes[from + 1]);
    int second = length < 4 ? 0 : Chars.fromBytes(bytes[from + 2], bytes[from + 3]);
    return first == 0xFEFF || first == 0xFFFE || (first == 0 && second == 0xFEFF);
  }

  private static byte[] filled(int length, int value) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }
}
