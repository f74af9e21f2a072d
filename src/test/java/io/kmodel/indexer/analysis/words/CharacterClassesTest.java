package io.kmodel.indexer.analysis.words;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CharacterClassesTest {
  @Test
  void asciiIsClassedAsUnicodeHasIt() {
    for (char c = 0; c < 0x80; c++) {
      byte expected =
          switch (c) {
            case '"' -> CharacterClasses.QUOTE;
            case '#', '*' -> CharacterClasses.KEYCAP_BASE;
            case '_' -> CharacterClasses.CONNECTOR;
            case ':' -> CharacterClasses.MID_LETTER;
            case ',', ';' -> CharacterClasses.MID_NUMBER;
            case '.', '\'' -> CharacterClasses.MID_BOTH;
            default -> {
              if (Character.isLetter(c)) {
                yield CharacterClasses.LETTER;
              }
              yield Character.isDigit(c) ? CharacterClasses.DIGIT : CharacterClasses.BREAK;
            }
          };
      assertThat(CharacterClasses.of(c)).as("U+%04X", (int) c).isEqualTo(expected);
    }
  }

  @Test
  void ofEachClassBeyondAsciiSomethingIsLearnt() {
    assertThat(CharacterClasses.of(0xE9)).isEqualTo(CharacterClasses.LETTER);
    assertThat(CharacterClasses.of(0x44F)).isEqualTo(CharacterClasses.LETTER);
    assertThat(CharacterClasses.of(0x663)).isEqualTo(CharacterClasses.DIGIT);
    assertThat(CharacterClasses.of(0x2019)).isEqualTo(CharacterClasses.MID_BOTH);
    assertThat(CharacterClasses.of(0xB7)).isEqualTo(CharacterClasses.MID_LETTER);
    assertThat(CharacterClasses.of(0x60C)).isEqualTo(CharacterClasses.MID_NUMBER);
    assertThat(CharacterClasses.of(0x203F)).isEqualTo(CharacterClasses.CONNECTOR);
    assertThat(CharacterClasses.of(0x301)).isEqualTo(CharacterClasses.EXTEND);
    assertThat(CharacterClasses.of(0x2014)).isEqualTo(CharacterClasses.BREAK);
  }

  @Test
  void ideographsAndHiraganaAreWordsByThemselvesAndHangulIsLetters() {
    for (int codePoint : new int[] {0x2F00, 0x3042, 0x3400, 0x4E00, 0x6F22, 0x9FA5}) {
      assertThat(CharacterClasses.of(codePoint))
          .as("U+%04X", codePoint)
          .isEqualTo(CharacterClasses.IDEOGRAPH);
    }
    assertThat(CharacterClasses.of(0xAC00)).isEqualTo(CharacterClasses.LETTER);
    assertThat(CharacterClasses.of(0xD7A3)).isEqualTo(CharacterClasses.LETTER);
    assertThat(CharacterClasses.of(0x3002)).isEqualTo(CharacterClasses.BREAK);
    assertThat(CharacterClasses.of(0xFF0C)).isEqualTo(CharacterClasses.MID_NUMBER);
    assertThat(CharacterClasses.lower(0xFF21)).isEqualTo('\uFF41');
    assertThat(CharacterClasses.lower(0x6F22)).isEqualTo('\u6F22');
  }

  @Test
  void whatHasRulesOfItsOwnIsUnsure() {
    int[] codePoints = {
      0x5D0, 0xE01, 0x200D, 0x20E3, 0xA9, 0x231A, 0x2139, 0x30AB, 0xFF76, 0x1F600
    };
    for (int codePoint : codePoints) {
      assertThat(CharacterClasses.of(codePoint))
          .as("U+%04X", codePoint)
          .isEqualTo(CharacterClasses.UNSURE);
    }
  }

  @Test
  void lowerCaseMayTakeMoreOrFewerBytes() {
    assertThat(CharacterClasses.lower('Q')).isEqualTo('q');
    assertThat(CharacterClasses.lower(0x130)).isEqualTo('i');
    assertThat(CharacterClasses.lower(0x23A)).isEqualTo('\u2C65');
    assertThat(CharacterClasses.lower(0x13A0)).isEqualTo('\uAB70');
  }
}
