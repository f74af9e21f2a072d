package io.kmodel.indexer.parse.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.parse.field.FieldText;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextLanguageTest {
  private static final TextLanguage LANGUAGE = new TextLanguage();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "en|The documents are parsed by several threads, and their runs are merged at the end.",
        "de|Die Dokumente werden von mehreren Threads gelesen und am Ende zusammengef\u00fchrt.",
        "fr|Les documents sont lus par plusieurs fils, puis fusionn\u00e9s \u00e0 la fin.",
        "es|Los documentos se leen en varios hilos y al final se fusionan en un solo \u00edndice.",
        "ru|\u0414\u043e\u043a\u0443\u043c\u0435\u043d\u0442\u044b \u0447\u0438\u0442\u0430\u044e\u0442\u0441\u044f \u043d\u0435\u0441\u043a\u043e\u043b\u044c\u043a\u0438\u043c\u0438 \u043f\u043e\u0442\u043e\u043a\u0430\u043c\u0438",
        "zh|\u5317\u4eac\u662f\u4e2d\u534e\u4eba\u6c11\u5171\u548c\u56fd\u7684\u9996\u90fd",
        "ja|\u65e5\u672c\u8a9e\u306e\u77ed\u3044\u6587\u3067\u3059\u3002\u691c\u7d22\u30a8\u30f3\u30b8\u30f3\u306e\u7d22\u5f15\u3092\u4f5c\u308a\u307e\u3059\u3002",
        "el|\u03a4\u03b1 \u03ad\u03b3\u03b3\u03c1\u03b1\u03c6\u03b1 \u03b4\u03b9\u03b1\u03b2\u03ac\u03b6\u03bf\u03bd\u03c4\u03b1\u03b9 \u03b1\u03c0\u03cc \u03c0\u03bf\u03bb\u03bb\u03ac \u03bd\u03ae\u03bc\u03b1\u03c4\u03b1",
        "tr|Belgeler birden fazla i\u015f par\u00e7ac\u0131\u011f\u0131 taraf\u0131ndan okunur ve sonunda birle\u015ftirilir.",
      })
  void aSentenceHasALanguage(String code, String sentence) {
    assertThat(LANGUAGE.of(new FieldText(sentence))).isEqualTo(code);
  }

  @ParameterizedTest
  @CsvSource({"''", "' \n\t '", "42", "ok", "Hello world", "x86_64 amd64 arm64 ppc64el s390x"})
  void whatIsNotCertainHasNone(String text) {
    assertThat(LANGUAGE.of(new FieldText(text))).isEmpty();
  }

  @Test
  void theMiddleOfALongTextCounts() {
    String menu = "Startseite Impressum Datenschutz \u00dcber uns Anmelden Warenkorb ";
    String text = "This is what the page is about, and it says so in some words. ";
    assertThat(LANGUAGE.of(new FieldText(menu.repeat(9) + text.repeat(40)))).isEqualTo("en");
  }

  /** Characters of one to four bytes, cut anywhere. */
  @Test
  void aSampleHasWholeCharacters() {
    for (String character : new String[] {"a", "\u00e9", "\u4e00", "\ud83d\ude00"}) {
      for (int shift = 0; shift < 4; shift++) {
        for (int length = 1; length < 3 * TextLanguage.SAMPLE_BYTES; length += 97) {
          String text = "x".repeat(shift) + character.repeat(length);
          String sample = TextLanguage.sample(new FieldText(text));
          assertThat(text).contains(sample);
          int bytes = text.getBytes(StandardCharsets.UTF_8).length;
          assertThat(sample.getBytes(StandardCharsets.UTF_8).length)
              .isBetween(
                  Math.min(bytes, TextLanguage.SAMPLE_BYTES) - 6,
                  Math.min(bytes, TextLanguage.SAMPLE_BYTES));
        }
      }
    }
  }
}
