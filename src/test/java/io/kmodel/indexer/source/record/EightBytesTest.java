package io.kmodel.indexer.source.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EightBytesTest {
  @Test
  void everyByteIsTakenForWhatItIsAtEveryPlaceAmongAnyOthers() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    byte[] text = new byte[12];
    byte[] lower = new byte[12];
    for (int b = 0; b < 256; b++) {
      char c = (char) b;
      boolean word = c < 0x80 && (Character.isLetterOrDigit(c) || c == '_');
      for (int place = 0; place < 8; place++) {
        for (int i = 0; i < 20; i++) {
          random.nextBytes(text);
          text[2 + place] = (byte) b;
          long eight = EightBytes.at(text, 2);
          long words = EightBytes.wordBytes(eight);
          assertThat(words >>> (8 * place) & 0xFF).as("seed %d", seed).isEqualTo(word ? 0x80 : 0);
          EightBytes.put(lower, 1, EightBytes.lowerWord(eight));
          if (word) {
            assertThat((char) lower[1 + place]).isEqualTo(Character.toLowerCase(c));
          }
        }
      }
    }
  }

  @Test
  void theWordBytesOfSixtyFourAreBits() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    byte[] text = new byte[70];
    for (int i = 0; i < 2000; i++) {
      long expected = 0;
      for (int at = 0; at < text.length; at++) {
        text[at] = (byte) random.nextInt(0x80);
        boolean word = Character.isLetterOrDigit(text[at]) || text[at] == '_';
        expected |= word && at >= 3 && at < 67 ? 1L << (at - 3) : 0;
      }
      assertThat(EightBytes.wordBytes(text, 3)).as("seed %d", seed).isEqualTo(expected);
    }
  }

  @Test
  void oneByteThatIsNotAsciiIsSeenAtEveryPlace() {
    byte[] text = new byte[66];
    for (int at = 0; at < text.length; at++) {
      text[at] = (byte) 0x80;
      assertThat(EightBytes.areAscii(text, 1, 64)).isEqualTo(at < 1 || at > 64);
      text[at] = 0x7F;
    }
  }

  @Test
  void theLettersOfAWordAreLoweredWhateverStandsBehindIt() {
    String word = "aZ_9'Q.z";
    for (int length = 1; length <= 8; length++) {
      for (int b = 0; b < 256; b++) {
        byte[] text = word.getBytes(StandardCharsets.US_ASCII);
        Arrays.fill(text, length, 8, (byte) b);
        EightBytes.put(text, 0, EightBytes.lowerWord(EightBytes.at(text, 0)));
        assertThat(new String(text, 0, length, StandardCharsets.US_ASCII))
            .isEqualTo(word.substring(0, length).toLowerCase(Locale.ROOT));
      }
    }
  }

  @Test
  void theFirstBytesOfASetAreCounted() {
    for (int n = 0; n <= 8; n++) {
      byte[] text = ("a".repeat(n) + " b c d e f").getBytes(StandardCharsets.US_ASCII);
      assertThat(EightBytes.leading(EightBytes.wordBytes(EightBytes.at(text, 0)))).isEqualTo(n);
    }
  }

  @Test
  void charactersAreCountedAsUtf16CountsThem() {
    String text =
        "a\u00E9\u0800\uFFFD\uD83D\uDE00b\uD83D\uDE00\uD83D\uDE00\u6F22xyz\u0301 tail end";
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    for (int at = 0; at + 8 <= bytes.length; at++) {
      int units = 0;
      for (int i = at; i < at + 8; i++) {
        int b = bytes[i] & 0xFF;
        units += b >= 0xF0 ? 2 : b < 0x80 || b >= 0xC0 ? 1 : 0;
      }
      assertThat(EightBytes.utf16Units(EightBytes.at(bytes, at))).isEqualTo(units);
    }
  }

  @Test
  void vowelsAreGatheredIntoBits() {
    for (int set = 0; set < 256; set++) {
      byte[] text = new byte[8];
      for (int i = 0; i < 8; i++) {
        text[i] =
            (byte) ((set >> i & 1) != 0 ? "aeiou".charAt((set + i) % 5) : "bydft".charAt(i % 5));
      }
      long eight = EightBytes.at(text, 0);
      assertThat(EightBytes.isAscii(eight)).isTrue();
      assertThat(EightBytes.bits(EightBytes.vowels(eight))).isEqualTo(set);
    }
    assertThat(EightBytes.isAscii(0x80L << 40)).isFalse();
  }
}
