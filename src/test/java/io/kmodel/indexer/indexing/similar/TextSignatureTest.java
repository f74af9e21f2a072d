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
  private static final String TEXT = "The heron waits by the river, and the river waits for rain.";

  @Test
  void onlyTheWordsCount() {
    byte[] signature = signature(TEXT);
    assertThat(signature(TEXT.replace(" ", "\r\n\t\u00a0").replace(".", "!\u2026")))
        .isEqualTo(signature);
    assertThat(signature(TEXT.toUpperCase(Locale.ROOT))).isEqualTo(signature);
    assertThat(signature("The heron waits by the river,", "and the river waits for rain."))
        .isEqualTo(signature);
    assertThat(equal(signature, signature(TEXT.replace("heron", "egret")))).isLessThan(100);
  }

  @Test
  void aTextThatIsShorterThanAShingleIsOnlySimilarToItself() {
    for (String text : List.of("heron", "heron river", "a heron by the")) {
      assertThat(signature(" " + text + " ")).isEqualTo(signature(text));
      assertThat(equal(signature(text), signature(text + " x"))).as(text).isLessThan(8);
    }
    assertThat(equal(signature("heron river"), signature("river heron"))).isLessThan(8);
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

  /** Longer texts than ranges of hashes, and so short ones that most ranges are empty. */
  @Test
  void theSimilarityIsEstimated() {
    EditedTexts texts = new EditedTexts(7);
    for (int words : new int[] {30, 200, 2000}) {
      double error = 0;
      int pairs = 200;
      for (int i = 0; i < pairs; i++) {
        String text = texts.text(words);
        String copy = texts.edited(text, i % 10 / 50.0);
        double estimate = TextSignature.similarity(equal(signature(text), signature(copy)));
        error += estimate - EditedTexts.similarity(text, copy);
        assertThat(estimate)
            .isCloseTo(EditedTexts.similarity(text, copy), within(words < 100 ? 0.5 : 0.2));
      }
      assertThat(error / pairs).as("mean error of %d words", words).isBetween(-0.03, 0.03);
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
    int equal = 0;
    for (int i = 0; i < TextSignature.BYTES; i += Long.BYTES) {
      equal += TextSignature.equalBytes(LittleEndian.getLong(a, i), LittleEndian.getLong(b, i));
    }
    return equal;
  }
}
