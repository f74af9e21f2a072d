package io.kmodel.indexer.indexing.similar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kmodel.indexer.store.LittleEndian;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TextSignatureTest {
  private static final String TEXT =
      "The heron waits by the river, and the river waits for rain. "
          + "A boat comes down the river, and nobody but the heron looks up.";

  @Test
  void onlyTheWordsCount() {
    byte[] signature = signature(TEXT);
    assertThat(signature(TEXT.replace(" ", "\r\n\t\u00a0").replace(".", "!\u2026")))
        .isEqualTo(signature);
    assertThat(signature(TEXT.toUpperCase(Locale.ROOT))).isEqualTo(signature);
    int middle = TEXT.indexOf("and the");
    assertThat(signature(TEXT.substring(0, middle), TEXT.substring(middle))).isEqualTo(signature);
    assertThat(equal(signature, signature(TEXT.replace("heron", "egret")))).isLessThan(100);
  }

  @Test
  void aTextOfFewWordsIsOnlySimilarToItself() {
    EditedTexts texts = new EditedTexts(4);
    for (int words = 1; words < TextSignature.LEAST_WORDS; words++) {
      for (int i = 0; i < 20; i++) {
        String text = texts.text(words).replace(".", "").strip();
        byte[] signature = signature(text);
        assertThat(signature(" " + text + "! ")).isEqualTo(signature);
        for (String other :
            List.of(
                text + " x",
                "x " + text,
                text.replaceFirst(" |$", " x "),
                text.replaceFirst("\\w+$", "x"),
                text + " " + text)) {
          assertThat(equal(signature, signature(other))).as("%s; %s", text, other).isLessThan(8);
        }
      }
    }
    assertThat(equal(signature("heron river"), signature("river heron"))).isLessThan(8);
  }

  @Test
  void aTextOfMoreWordsIsSimilarToOneWithAWordMore() {
    EditedTexts texts = new EditedTexts(4);
    for (int i = 0; i < 100; i++) {
      String text = texts.text(TextSignature.LEAST_WORDS);
      double estimate =
          TextSignature.similarity(equal(signature(text), signature(text + " another")));
      assertThat(estimate).isCloseTo(EditedTexts.similarity(text, text + "another"), within(0.2));
    }
  }

  @Test
  void aTextWithoutWordsHasNothingToCompare() {
    assertThat(TextSignature.hasWords(signature(" \n — … !"))).isFalse();
    assertThat(TextSignature.hasWords(signature("a"))).isTrue();
    assertThat(TextSignature.hasWords(signature("水"))).isTrue();
  }

  @Test
  void aCharacterOfChineseOrAnEmojiIsAWord() {
    String text = "河边的苍鹭在等待雨水，河也在等待雨水。";
    assertThat(signature(String.join(" ", text.split("", 0)))).isEqualTo(signature(text));
    assertThat(signature("a😀b😀c😀d")).isEqualTo(signature("a 😀 b 😀 c 😀 d"));
    assertThat(signature("straße über")).isNotEqualTo(signature("stra e ber"));
  }

  /** No text of a script may seem to be without words. */
  @Test
  void lettersOfAllScriptsAndOfNoneYetAreWords() {
    for (int c = 0x80; c < 0x11_0000; c += c > 0xFFFF ? 97 : 1) {
      if (Character.isLetterOrDigit(c) || (c >= 0x2800 && c < 0x2900) || c > 0xFFFF) {
        assertThat(TextSignature.hasWords(signature(Character.toString(c))))
            .as("U+%04X", c)
            .isTrue();
      }
    }
    String tifinagh = "\u2d30\u2d31\u2d33\u2d37 ";
    assertThat(signature(tifinagh + "(c) 2024 Example.org"))
        .isNotEqualTo(signature("(c) 2024 Example.org"))
        .isNotEqualTo(signature(tifinagh + tifinagh + "(c) 2024 Example.org"));
    assertThat(signature("\u0378 \ue000")).isNotEqualTo(signature("\u0378"));
  }

  @Test
  void punctuationOfAllScriptsIsBetweenWords() {
    String chinese = "河边的苍鹭在等待雨水，河也在等待雨水。";
    assertThat(signature(chinese.replace('，', ',').replace('。', '.') + "\u3000「」"))
        .isEqualTo(signature(chinese));
    String arabic = "مالك الحزين، النهر؟";
    assertThat(signature(arabic.replace('،', ',').replace('؟', '?'))).isEqualTo(signature(arabic));
    assertThat(signature("नदी।पानी")).isEqualTo(signature("नदी पानी"));
    // Iteration mark and zero are letters and numbers of Chinese and Japanese.
    assertThat(signature("人々")).isNotEqualTo(signature("人"));
    assertThat(signature("二〇")).isNotEqualTo(signature("二"));
  }

  /** Longer texts than ranges of hashes, and so short ones that most ranges are empty. */
  @Test
  void theSimilarityIsEstimated() {
    EditedTexts texts = new EditedTexts(7);
    for (int words : new int[] {20, 30, 60, 200, 2000}) {
      double error = 0;
      double squares = 0;
      int pairs = words > 1000 ? 30 : 150;
      for (int i = 0; i < pairs; i++) {
        String text = texts.text(words);
        String copy = texts.edited(text, i % 10 / 50.0);
        double estimate = TextSignature.similarity(equal(signature(text), signature(copy)));
        double difference = estimate - EditedTexts.similarity(text, copy);
        error += difference;
        squares += difference * difference;
        assertThat(difference).isBetween(-0.2, 0.2);
      }
      assertThat(error / pairs).as("mean error of %d words", words).isBetween(-0.02, 0.02);
      assertThat(Math.sqrt(squares / pairs)).as("error of %d words", words).isLessThan(0.05);
    }
  }

  @Test
  void equalBytesAreCountedExactly() {
    Random random = new Random(3);
    for (int i = 0; i < 2000; i++) {
      long a = random.nextLong();
      long b = a;
      int different = random.nextInt(256);
      for (int bit = 0; bit < 8; bit++) {
        if (((different >> bit) & 1) != 0) {
          b ^= (1L + random.nextInt(255)) << (8 * bit);
        }
      }
      assertThat(TextSignature.equalBytes(a, b)).isEqualTo(8 - Integer.bitCount(different));
    }
  }

  static byte[] signature(String... texts) {
    TextSignature signature = new TextSignature();
    signature.start();
    for (String text : texts) {
      byte[] utf8 = (" " + text).getBytes(StandardCharsets.UTF_8);
      signature.add(utf8, 1, utf8.length - 1);
    }
    byte[] bytes = new byte[TextSignature.BYTES];
    signature.finish(bytes);
    return bytes;
  }

  static int equal(byte[] a, byte[] b) {
    return TextSignature.equalBytes(a, i -> LittleEndian.getLong(b, i));
  }
}
