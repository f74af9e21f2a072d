package io.kmodel.indexer.source.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Test;

/** Sets of bytes among eight, each byte value at each place. */
class EightBytesSetsTest {
  @Property(tries = 20, shrinking = ShrinkingMode.OFF)
  void plainBytesAreThoseAboveTheSpaceThatBeginNoMarkup(@ForAll long seed) {
    Random random = new Random(seed);
    byte[] text = new byte[11];
    for (int value = 0; value < 256; value++) {
      boolean plain = value > ' ' && value < 0x80 && value != '<' && value != '&';
      for (int place = 0; place < 8; place++) {
        random.nextBytes(text);
        text[3 + place] = (byte) value;
        long set = EightBytes.plain(EightBytes.at(text, 3));
        assertThat(set & ~0x8080_8080_8080_8080L).as("other bits").isZero();
        assertThat(set >>> (8 * place) & 0xFF).as("0x%x", value).isEqualTo(plain ? 0x80 : 0);
      }
    }
  }

  @Property(tries = 20, shrinking = ShrinkingMode.OFF)
  void spacesAreFoundAmongAnyOthers(@ForAll long seed) {
    Random random = new Random(seed);
    byte[] likely = {' ', ' ', (byte) 0xA0, '!', 0x1F, 0x21, 0, (byte) 0xFF, 0x7F, (byte) 0x80};
    for (int round = 0; round < 200; round++) {
      byte[] text = new byte[8];
      long expected = 0;
      for (int i = 0; i < 8; i++) {
        text[i] = likely[random.nextInt(likely.length)];
        expected |= text[i] == ' ' ? 0x80L << (8 * i) : 0;
      }
      assertThat(EightBytes.spaces(EightBytes.at(text, 0))).isEqualTo(expected);
    }
  }

  @Property(tries = 20, shrinking = ShrinkingMode.OFF)
  void theFirstEqualByteIsFoundAmongItsNeighboursInValue(@ForAll long seed) {
    Random random = new Random(seed);
    for (int value = 0; value < 256; value++) {
      for (int place = 0; place <= 8; place++) {
        byte[] text = new byte[8];
        for (int i = 0; i < 8; i++) {
          // What differs in the lowest bit alone is what borrowing mistakes for it.
          int other = random.nextBoolean() ? value ^ 1 : value ^ (1 + random.nextInt(255));
          text[i] = (byte) (i > place && random.nextInt(3) == 0 ? value : other);
        }
        if (place < 8) {
          text[place] = (byte) value;
        }
        long set = EightBytes.firstEqual(EightBytes.at(text, 0), (byte) value);
        assertThat(EightBytes.first(set)).as("0x%x", value).isEqualTo(place);
        assertThat(set == 0).isEqualTo(place == 8);
      }
    }
  }

  @Property(tries = 20, shrinking = ShrinkingMode.OFF)
  void capitalLettersOfAsciiAndNoOthersAreLowered(@ForAll long seed) {
    Random random = new Random(seed);
    byte[] text = new byte[8];
    byte[] lower = new byte[8];
    for (int value = 0; value < 128; value++) {
      for (int place = 0; place < 8; place++) {
        for (int i = 0; i < 8; i++) {
          text[i] = (byte) (i == place ? value : random.nextInt(128));
        }
        EightBytes.put(lower, 0, EightBytes.lower(EightBytes.at(text, 0)));
        for (int i = 0; i < 8; i++) {
          assertThat(lower[i]).isEqualTo((byte) Character.toLowerCase((char) text[i]));
        }
      }
    }
  }

  @Test
  void theFirstMemberIsTheLowestWhateverIsAboveIt() {
    assertThat(EightBytes.first(0)).isEqualTo(8);
    for (int members = 1; members < 256; members++) {
      long set = 0;
      for (int i = 0; i < 8; i++) {
        set |= (members >> i & 1L) << (8 * i + 7);
      }
      assertThat(EightBytes.first(set)).isEqualTo(Integer.numberOfTrailingZeros(members));
      assertThat(EightBytes.bits(set)).isEqualTo(members);
    }
  }
}
