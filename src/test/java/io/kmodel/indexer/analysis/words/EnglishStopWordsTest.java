package io.kmodel.indexer.analysis.words;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.junit.jupiter.api.Test;

class EnglishStopWordsTest {
  @Test
  void allOfLucenesAndNoOthersAreStopWords() {
    assertThat(EnglishAnalyzer.ENGLISH_STOP_WORDS_SET).hasSizeGreaterThan(30);
    for (Object word : EnglishAnalyzer.ENGLISH_STOP_WORDS_SET) {
      assertThat(isStopWord(new String((char[]) word))).isTrue();
    }
  }

  @Test
  void allWordsOfUpToFourLettersAreStopWordsWhereLuceneSaysSo() {
    for (int length = 1; length <= 4; length++) {
      char[] word = new char[length];
      for (int number = 0; number < Math.pow(26, length); number++) {
        for (int rest = number, i = 0; i < length; i++, rest /= 26) {
          word[i] = (char) ('a' + rest % 26);
        }
        boolean expected = EnglishAnalyzer.ENGLISH_STOP_WORDS_SET.contains(word, 0, length);
        assertThat(isStopWord(new String(word))).isEqualTo(expected);
      }
    }
  }

  @Test
  void wordsThatEndInAStopWordAreNone() {
    for (String word : new String[] {"brother", "another", "bathe", "oftheir", "\u00E9the", "7a"}) {
      assertThat(isStopWord(word)).as(word).isFalse();
    }
  }

  private static boolean isStopWord(String word) {
    byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
    byte[] text = ("..the.is" + word).getBytes(StandardCharsets.UTF_8);
    return EnglishStopWords.contains(text, WordScanner.WORD_START, bytes.length);
  }
}
