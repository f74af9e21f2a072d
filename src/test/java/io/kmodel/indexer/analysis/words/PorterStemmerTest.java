package io.kmodel.indexer.analysis.words;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.analysis.FieldTokensTest;
import io.kmodel.indexer.analysis.StandardTokens;
import io.kmodel.indexer.analysis.TokenSink;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Random;
import org.apache.lucene.util.ArrayUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PorterStemmerTest {
  /** Endings of all steps, and their beginnings and ends. */
  private static final List<String> ENDINGS =
      List.of(
          "", "s", "ss", "sses", "ies", "es", "eed", "ed", "ing", "at", "bl", "iz", "y", "e", "l",
          "ll", "le", "ational", "tional", "enci", "anci", "izer", "bli", "abli", "alli", "entli",
          "eli", "ousli", "ization", "ation", "ator", "alism", "iveness", "fulness", "ousness",
          "aliti", "iviti", "biliti", "logi", "icate", "ative", "alize", "iciti", "ical", "ful",
          "ness", "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent",
          "ion", "sion", "tion", "ou", "ism", "ate", "iti", "ous", "ive", "ize", "ly", "ically");

  private final PorterStemmer stemmer = new PorterStemmer();
  private final LuceneStems lucene = new LuceneStems();
  private final byte[] ours = new byte[1000];
  private final byte[] theirs = new byte[1000];

  @ParameterizedTest
  @CsvSource({
    "caresses, caress",
    "ponies, poni",
    "cats, cat",
    "feed, feed",
    "agreed, agre",
    "plastered, plaster",
    "sing, sing",
    "conflated, conflat",
    "hopping, hop",
    "falling, fall",
    "filing, file",
    "happy, happi",
    "sky, sky",
    "relational, relat",
    "vietnamization, vietnam",
    "hopefulness, hope",
    "sensibiliti, sensibl",
    "electriciti, electr",
    "adoption, adopt",
    "probate, probat",
    "rate, rate",
    "controll, control",
    "roll, roll"
  })
  void theExamplesOfThePaperComeOut(String word, String stem) {
    assertThat(stem(word)).isEqualTo(stem);
  }

  @Test
  void allEndingsOnAllShortStemsAreThoseOfLucene() {
    char[] letters = "aeybcst".toCharArray();
    for (int length = 0; length <= 4; length++) {
      int stems = (int) Math.pow(letters.length, length);
      for (int number = 0; number < stems; number++) {
        StringBuilder stem = new StringBuilder();
        for (int rest = number, i = 0; i < length; i++, rest /= letters.length) {
          stem.append(letters[rest % letters.length]);
        }
        for (String ending : ENDINGS) {
          check(stem + ending);
        }
      }
    }
  }

  @Test
  void allPairsOfEndingsAreThoseOfLucene() {
    for (String stem : List.of("", "b", "be", "tro", "comput", "hop", "wax", "yy", "nor", "at")) {
      for (String first : ENDINGS) {
        for (String second : ENDINGS) {
          check(stem + first + second);
        }
      }
    }
  }

  @Test
  void lettersAtRandomAreStemmedAsByLucene() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    String letters = "aeiouyylstdngbzecvwx_.'7\u00E9\u4E00\u03C3";
    for (int i = 0; i < 300_000; i++) {
      StringBuilder word = new StringBuilder();
      int ascii = random.nextInt(8) == 0 ? letters.length() : letters.length() - 3;
      for (int length = random.nextInt(9); length >= 0; length--) {
        word.append(letters.charAt(random.nextInt(ascii)));
      }
      word.append(ENDINGS.get(random.nextInt(ENDINGS.size())));
      assertThat(stem(word.toString())).as("seed %d", seed).isEqualTo(luceneStem(word.toString()));
    }
  }

  @Test
  void wordsOfAnyLengthAreStemmedAsByLucene() {
    for (int length = 1; length <= 260; length++) {
      for (String ending : List.of("", "ed", "y", "biliti", "ization", "\u00E9")) {
        check("ba".repeat(length).substring(length) + ending);
        check("y".repeat(length) + ending);
      }
    }
  }

  @Test
  void theWordsOfTheSamplesAreStemmedAsByLucene() throws IOException {
    StandardTokens tokens = new StandardTokens();
    int[] words = {0};
    byte[] text = FieldTokensTest.resource("scripts.txt").getBytes(StandardCharsets.UTF_8);
    TokenSink check =
        (field, bytes, offset, length, position) -> {
          check(new String(bytes, offset, length, StandardCharsets.UTF_8));
          words[0]++;
        };
    tokens.tokens(0, text, 0, text.length, check);
    assertThat(words[0]).isGreaterThan(180);
    for (var file : FieldTokensTest.samples()) {
      byte[] sample = Files.readAllBytes(file);
      tokens.tokens(0, sample, 0, sample.length, check);
    }
  }

  private void check(String word) {
    assertThat(stem(word)).as(word).isEqualTo(luceneStem(word));
  }

  private String stem(String word) {
    byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
    int offset = WordScanner.WORD_START;
    // What stands before the word must not count.
    System.arraycopy("ational ".getBytes(StandardCharsets.UTF_8), 0, ours, 0, offset);
    System.arraycopy(bytes, 0, ours, offset, bytes.length);
    int length = stemmer.stem(ours, offset, bytes.length);
    return new String(ours, offset, length, StandardCharsets.UTF_8);
  }

  private String luceneStem(String word) {
    byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
    System.arraycopy(bytes, 0, theirs, 0, bytes.length);
    int length = lucene.stem(theirs, 0, bytes.length);
    return new String(ArrayUtil.copyOfSubArray(theirs, 0, length), StandardCharsets.UTF_8);
  }
}
