package io.kmodel.indexer.inversion;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.Thorough;
import io.kmodel.indexer.Tier;
import io.kmodel.indexer.analysis.StandardTokens;
import io.kmodel.indexer.index.model.Schema;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The words of texts in plain form are those of the texts themselves. */
class PlainTextTest {
  private static final Schema SCHEMA = Blocks.schema(1);
  private static final String UNUSUAL =
      "aZ09_:.,;'\"#* -\t\n\u0000\u007F\u00AD\u00E9\u0130\u0301\u200D\u2019\u203F\u20E3\u05D0\u0661\u066B"
          + "\u0E01\u30AB\u30FC\u4E00\u3042\uAC00\u1100\uFE0F\uFF10";

  private static void assertSameWords(List<String> texts) throws Exception {
    long bytes = 4096;
    List<List<String>> documents = new ArrayList<>();
    List<List<String>> expected = new ArrayList<>();
    StandardTokens tokens = new StandardTokens();
    for (String text : texts) {
      byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
      List<String> words = new ArrayList<>();
      tokens.tokens(
          0,
          utf8,
          0,
          utf8.length,
          (field, word, offset, length, position) ->
              words.add(new String(word, offset, length, StandardCharsets.UTF_8)));
      expected.add(words);
      documents.add(List.of(text));
      bytes += 64 + 3L * utf8.length;
    }
    try (TextBlock block = new TextBlock(1, bytes, ListForm.KEYS)) {
      Blocks.fill(block, documents);
      try (InvertedText inverted = PlainInversion.invert(block, SCHEMA, Blocks.fields(1))) {
        List<List<String>> actual = Blocks.words(block, SCHEMA, inverted);
        for (int i = 0; i < texts.size(); i++) {
          assertThat(actual.get(i)).as("words of %s", texts.get(i)).isEqualTo(expected.get(i));
        }
        assertThat(inverted.tokens()).isEqualTo(expected.stream().mapToInt(List::size).sum());
      }
    }
  }

  /** Beside letters, digits, connectors, blanks, itself and what may extend or join it. */
  @Test
  void everyCodePointBesideEveryKind() throws Exception {
    List<String> texts = new ArrayList<>();
    for (int c = 0x80; c <= Character.MAX_CODE_POINT; c += Tier.pick(211, 1)) {
      if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
        continue;
      }
      String own = Character.toString(c);
      texts.add("a%1$sB 1%1$s2 _%1$s_ %1$s%1$s a.%1$s %1$s.1 %1$s'%1$s 1,%1$s".formatted(own));
      texts.add(
          "#%1$s *%1$s\u20E3 %1$s\u0301a \u0661,%1$s %1$s:b %1$s;3 \"%1$s\"%1$s".formatted(own));
      if (texts.size() > 5000) {
        assertSameWords(texts);
        texts.clear();
      }
    }
    assertSameWords(texts);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 4, 17, 40})
  void randomTextsOfUnusualCharacters(int blanks) throws Exception {
    Random random = new Random(20261128 + blanks);
    int[] characters = UNUSUAL.codePoints().toArray();
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < Tier.pick(1500, 30_000); i++) {
      StringBuilder text = new StringBuilder();
      int length = random.nextInt(Tier.pick(200, 400));
      for (int at = 0; at < length; at++) {
        boolean usual = random.nextInt(41) < blanks;
        text.append(usual ? "word ".charAt(random.nextInt(5)) : character(random, characters));
      }
      texts.add(text.toString());
    }
    assertSameWords(texts);
  }

  private static String character(Random random, int... characters) {
    return Character.toString(characters[random.nextInt(characters.length)]);
  }

  /**
   * StandardTokenizer splits words of more than 255 UTF-16 units; windows of 64 bytes are copied.
   */
  @Test
  void longWordsAtEveryPlace() throws Exception {
    List<String> texts = new ArrayList<>();
    for (String unit : List.of("a", "Ab1", "\u00E9", "a.b", "_", "1,", "\u4E00", "-", "x-")) {
      for (int before = 0; before < 130; before += Tier.pick(13, 1)) {
        for (int length : new int[] {63, 191, 192, 254, 255, 256, 257, 319, 511, 600}) {
          texts.add(" ".repeat(before) + unit.repeat(length / unit.length()) + " b" + unit);
        }
      }
    }
    assertSameWords(texts);
  }

  @Test
  @Thorough
  void textsOfEveryLength() throws Exception {
    List<String> texts = new ArrayList<>();
    for (int length = 0; length < 300; length++) {
      texts.add("ab cd ".repeat(50).substring(0, length));
      texts.add("ab cd ".repeat(50).substring(0, length) + "\u00E9");
      texts.add("\u00E9" + "x".repeat(length) + " " + "y".repeat(length));
    }
    assertSameWords(texts);
  }
}
