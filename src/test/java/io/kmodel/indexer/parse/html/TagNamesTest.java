package io.kmodel.indexer.parse.html;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Ascii;
import io.kmodel.indexer.source.record.EightBytes;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Test;

/** Numbers of tag names, wherever in the page they stand. */
class TagNamesTest {
  private final TagNames names = new TagNames();

  @Test
  void everyKnownNameHasItsNumberInAnyCaseAtTheEndAndBeforeIt() {
    for (int number = 0; number < HtmlTag.COUNT; number++) {
      String name = HtmlTag.name(number);
      for (String cased :
          new String[] {name, Ascii.toUpperCase(name), mixed(name, new Random(number))}) {
        for (int behind = 0; behind <= 9; behind++) {
          names.reset(("<" + cased + "> tail of the page".substring(0, behind)).getBytes(US_ASCII));
          assertThat(names.number(1, 1 + name.length())).as(cased).isEqualTo(number);
        }
      }
    }
  }

  @Test
  void aNameHasOneNumberInTheMiddleOfAPageAndInItsLastBytes() {
    for (int length = 1; length <= 12; length++) {
      String name = "zqzqzqzqzqzq".substring(0, length);
      for (int behind = 0; behind <= 8; behind++) {
        String tail = " ".repeat(behind);
        byte[] page =
            (name + " in the middle " + Ascii.toUpperCase(name) + tail).getBytes(US_ASCII);
        int last = page.length - behind - length;
        names.reset(page);
        assertThat(names.number(last, last + length)).isEqualTo(HtmlTag.COUNT);
        assertThat(names.number(0, length)).isEqualTo(HtmlTag.COUNT);
        names.reset(page);
        assertThat(names.number(0, length)).isEqualTo(HtmlTag.COUNT);
        assertThat(names.number(last, last + length)).isEqualTo(HtmlTag.COUNT);
      }
    }
  }

  @Test
  void shortKnownNamesAreFoundAtOnceByTheirWordUnlessTheirPlaceIsTaken() {
    int found = 0;
    int all = 0;
    for (int number = 0; number < HtmlTag.COUNT; number++) {
      byte[] name = HtmlTag.name(number).getBytes(US_ASCII);
      int answer = names.shortName(word(name), name.length);
      if (name.length < Long.BYTES) {
        assertThat(answer).as(HtmlTag.name(number)).isIn(number, -1);
        all++;
        found += answer == number ? 1 : 0;
      }
    }
    assertThat(found).isGreaterThan(all * 9 / 10);
    for (String usual : new String[] {"span", "a", "div", "li", "td", "p", "code", "tr"}) {
      assertThat(HtmlTag.name(names.shortName(word(usual.getBytes(US_ASCII)), usual.length())))
          .isEqualTo(usual);
    }
  }

  @Test
  void noOtherWordIsFoundAtOnce() {
    assertThat(names.shortName(0, 0)).isNegative();
    for (String other : new String[] {"A", "spa", "spans", "a\0", "\0a", "a/", "/a", "zq"}) {
      assertThat(names.shortName(word(other.getBytes(US_ASCII)), other.length()))
          .as(other)
          .isNegative();
    }
    for (int number = 0; number < HtmlTag.COUNT; number++) {
      byte[] name = HtmlTag.name(number).getBytes(US_ASCII);
      for (int i = 0; i < Math.min(name.length, Long.BYTES - 1); i++) {
        long word = word(name) & -1L >>> Byte.SIZE;
        assertThat(names.shortName(word | 0x80L << (Byte.SIZE * i), name.length)).isNegative();
      }
    }
  }

  @Test
  void aNameOfThePageIsFoundAtOnceOnceItHasItsNumberAndUntilTheNextPage() {
    byte[] page = "<zqzq> and <zqzq>".getBytes(US_ASCII);
    long word = word("zqzq".getBytes(US_ASCII));
    names.reset(page);
    assertThat(names.shortName(word, 4)).isNegative();
    assertThat(names.number(1, 5)).isEqualTo(HtmlTag.COUNT);
    assertThat(names.shortName(word, 4)).isEqualTo(HtmlTag.COUNT);
    names.reset(page);
    assertThat(names.shortName(word, 4)).isNegative();
  }

  /** The first eight bytes of a name, filled up with zeros. */
  private static long word(byte[] name) {
    return EightBytes.at(Arrays.copyOf(name, Long.BYTES), 0);
  }

  /** Few letters, so that names are prefixes of each other and differ in one byte. */
  @Property(tries = 2_000, shrinking = ShrinkingMode.OFF)
  void namesHaveTheSameNumberWhereTheyAreTheSameInLowerCase(@ForAll long seed) {
    Random random = new Random(seed);
    String[] written = new String[30];
    for (int i = 0; i < written.length; i++) {
      StringBuilder name = new StringBuilder();
      int length = 1 + random.nextInt(12);
      for (int j = 0; j < length; j++) {
        name.append("aAzZ[@`{_-1".charAt(random.nextInt(j == 0 ? 4 : 11)));
      }
      written[i] = i > 0 && random.nextBoolean() ? mixed(written[i - 1], random) : name.toString();
    }
    names.reset(String.join(" ", written).getBytes(US_ASCII));
    Map<String, Integer> numbers = new HashMap<>();
    for (int number = 0; number < HtmlTag.COUNT; number++) {
      numbers.put(HtmlTag.name(number), number);
    }
    int at = 0;
    for (String name : written) {
      int next = numbers.size();
      int expected = numbers.computeIfAbsent(Ascii.toLowerCase(name), n -> next);
      assertThat(names.number(at, at + name.length())).as(name).isEqualTo(expected);
      at += name.length() + 1;
    }
  }

  @Test
  void aNulOrWhatIsNotAsciiMakesANameOddAtEveryPlace() {
    for (int length = 1; length <= 12; length++) {
      for (int place = 0; place < length; place++) {
        for (int odd : new int[] {0, 0x80, 0xC3, 0xFF}) {
          for (int behind = 0; behind <= 9; behind++) {
            byte[] page = new byte[1 + length + behind];
            Arrays.fill(page, (byte) 'q');
            page[1 + place] = (byte) odd;
            names.reset(page);
            assertThat(names.number(1, 1 + length))
                .as("0x%x at %d of %d, %d behind", odd, place, length, behind)
                .isEqualTo(TagNames.ODD);
          }
        }
      }
    }
  }

  @Test
  void whatStandsAroundANameDoesNotMakeItOdd() {
    for (int length = 1; length <= 12; length++) {
      for (int around : new int[] {0, 0x80, 0xFF}) {
        for (int behind = 0; behind <= 9; behind++) {
          byte[] page = new byte[1 + length + behind];
          Arrays.fill(page, (byte) around);
          Arrays.fill(page, 1, 1 + length, (byte) 'Q');
          names.reset(page);
          assertThat(names.number(1, 1 + length)).isEqualTo(length == 1 ? q() : HtmlTag.COUNT);
        }
      }
    }
  }

  /** The only name of one to twelve letters q that is known. */
  private static int q() {
    for (int number = 0; number < HtmlTag.COUNT; number++) {
      if (HtmlTag.name(number).equals("q")) {
        return number;
      }
    }
    return HtmlTag.COUNT;
  }

  private static String mixed(String name, Random random) {
    String lower = Ascii.toLowerCase(name);
    String upper = Ascii.toUpperCase(name);
    StringBuilder mixed = new StringBuilder();
    for (int i = 0; i < name.length(); i++) {
      mixed.append((random.nextBoolean() ? lower : upper).charAt(i));
    }
    return mixed.toString();
  }
}
