package io.kmodel.indexer.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.Tier;
import io.kmodel.indexer.analysis.words.CharacterClasses;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The tokens from bytes are those of Lucene's analyzers. The thorough tier tries every code point
 * of Unicode beside every kind of character.
 */
public class FieldTokensTest {
  /**
   * Of every kind of character that the rules know, one or more: Latin and Greek letters, digits,
   * connectors, what joins letters or digits or both, Hebrew and its quotes, combining marks and
   * format characters, joiners, keycap bases and keycaps, emoji, modifiers, variation selectors,
   * flags, tags, kana, Hangul, Thai, ideographs in and outside the first plane, and breaks.
   */
  static final List<String> KINDS =
      List.of(
          "a",
          "S",
          "\u03A9",
          "\u0130",
          "\u023A",
          "7",
          "\u0663",
          "_",
          "\u203F",
          ":",
          "\u00B7",
          ",",
          ";",
          ".",
          "'",
          "\u2019",
          "\uFF07",
          "\"",
          "\u05D0",
          "\u0301",
          "\u00AD",
          "\u200D",
          "\uFE0E",
          "\uFE0F",
          "#",
          "*",
          "\u20E3",
          "\u231A",
          "\u2139",
          "\u00A9",
          "\uD83D\uDC68",
          "\uD83C\uDFFD",
          "\u261D",
          "\uD83C\uDDEB",
          "\uDB40\uDC67",
          "\uDB40\uDC7F",
          "\u30AB",
          "\u3042",
          "\uFF76",
          "\uAC00",
          "\u1100",
          "\u0E01",
          "\u0E31",
          "\u6F22",
          "\uD840\uDC00",
          "\uD801\uDC00",
          "\uD835\uDFCF",
          "\uFF11",
          " ",
          "-",
          "\u2028",
          "\u3000",
          "\uFFFD");

  /** Characters that are checked in one go. */
  private static final int PIECE = 1 << 20;

  private static final boolean SWEEP_ALL = Tier.isThorough();

  @ParameterizedTest
  @ValueSource(strings = {"standard", "english"})
  void everyCodePointIsTokenizedAsByLuceneAloneAndBesideLettersAndDigits(String name) {
    try (TokenComparison tokens = new TokenComparison(name)) {
      StringBuilder text = new StringBuilder();
      for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
        if (isCharacter(c) && (SWEEP_ALL || !isFarIdeograph(c))) {
          String it = Character.toString(c);
          text.append(it).append('\n').append('a').append(it).append("b1").append(it);
          text.append("2\n_").append(it).append("_\n").append(it).append(it).append('\n');
          flush(text, tokens, PIECE);
        }
      }
      flush(text, tokens, 0);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"standard", "english"})
  void everyCodePointIsTokenizedAsByLuceneBesideEveryKind(String name) {
    int limit = SWEEP_ALL ? Character.MAX_CODE_POINT + 1 : CharacterClasses.LIMIT;
    int alike = SWEEP_ALL ? 1 : 61;
    try (TokenComparison tokens = new TokenComparison(name)) {
      StringBuilder text = new StringBuilder();
      for (int c = 0; c < limit; c++) {
        if (isCharacter(c)
            && (c < CharacterClasses.LEARNT
                || c >= CharacterClasses.WIDE
                || c % alike == 0
                || isEdge(c))) {
          String it = Character.toString(c);
          for (String kind : KINDS) {
            text.append(kind).append(it).append(kind).append("\n");
            text.append(it).append(kind).append(it).append("\n");
          }
          flush(text, tokens, PIECE);
        }
      }
      flush(text, tokens, 0);
    }
  }

  /** Whether its class is not that of both its neighbours. */
  private static boolean isEdge(int c) {
    byte of = CharacterClasses.of(c);
    return of != CharacterClasses.of(c - 1) || of != CharacterClasses.of(c + 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"standard", "english"})
  void threeOfAllKindsInARowAreTokenizedAsByLucene(String name) {
    try (TokenComparison tokens = new TokenComparison(name)) {
      StringBuilder text = new StringBuilder();
      for (String first : KINDS) {
        for (String second : KINDS) {
          for (String third : KINDS) {
            text.append(first).append(second).append(third).append('\n');
            text.append("x").append(first).append(second).append(third).append("s\n");
          }
        }
        flush(text, tokens, PIECE);
      }
      flush(text, tokens, 0);
    }
  }

  @Test
  void luceneBreaksAtEveryBreakWhateverStandsBesideIt() {
    List<String> before = new ArrayList<>();
    List<String> after = new ArrayList<>();
    for (String first : KINDS) {
      for (String second : KINDS) {
        before.add(first + second);
        after.add(first + second);
      }
    }
    after.addAll(KINDS);
    try (TokenComparison tokens = new TokenComparison("standard")) {
      for (char c = 0; c < 0x80; c++) {
        if (CharacterClasses.of(c) == CharacterClasses.BREAK) {
          StringBuilder joined = new StringBuilder();
          StringBuilder apart = new StringBuilder();
          for (int i = c % 3; i < before.size(); i += 3) {
            String right = after.get((i * 31 + c) % after.size());
            joined.append(before.get(i)).append(c).append(right).append('\n');
            apart.append(before.get(i)).append("\n").append(right).append('\n');
          }
          assertThat(tokens.check(joined.toString())).isEqualTo(tokens.check(apart.toString()));
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"standard", "english"})
  void longWordsAreCutWhereLuceneCutsThem(String name) {
    List<String> units =
        List.of(
            "a",
            "1",
            "_",
            "\u00E9",
            "\u023A",
            "\u0301",
            "\uD801\uDC00",
            "\u1E9E",
            "\uAC00",
            "\u30AB",
            "\u0E01",
            "\u6F22");
    List<String> ends =
        List.of(
            "",
            "a",
            "'s",
            ".b",
            ",",
            "_",
            "\u0301",
            "\uD801\uDC00x",
            " b",
            "\u6F22",
            "\u6F22\u0301",
            "\u302E\u3042");
    try (TokenComparison tokens = new TokenComparison(name)) {
      for (int length = 70; length < 520; length += length % 255 > 232 ? 2 : 11) {
        for (String unit : units) {
          StringBuilder text = new StringBuilder();
          for (String end : ends) {
            text.append(unit.repeat(length)).append(end).append('\n');
            text.append('a').append(unit.repeat(length)).append(end).append('\n');
            text.append("_1").append(unit.repeat(length)).append(end).append('\n');
          }
          tokens.check(text.toString());
        }
      }
    }
  }

  /** Sixty-four bytes of ASCII are looked at at once: words end before, at and behind the end. */
  @ParameterizedTest
  @ValueSource(strings = {"standard", "english"})
  void wordsOfEveryLengthAreTokenizedAsByLuceneWhereverABlockEnds(String name) {
    String[] behind = {" b", ".b ", ".7", "'s ", "_x", ":c", ",7", ". ", " #\u20E3", "\u00E9t"};
    try (TokenComparison tokens = new TokenComparison(name)) {
      for (int before = 0; before < 66; before++) {
        for (int length = 1; length < 70; length += length < 20 ? 1 : 7) {
          for (String after : behind) {
            tokens.check(
                " ".repeat(before) + "Wx9".repeat(30).substring(0, length) + after.repeat(40));
          }
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"standard", "english"})
  void kindsOfAsciiInAnyOrderAreTokenizedAsByLucene(String name) {
    String[] kinds = {
      "a", "S", "7", "word", "T12", "_", ":", ",", ";", ".", "'", "\"", "#", "*", " ", "-"
    };
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    try (TokenComparison tokens = new TokenComparison(name)) {
      for (int i = 0; i < 400; i++) {
        StringBuilder text = new StringBuilder();
        // All of them, or mostly letters and one other kind.
        int other = random.nextInt(kinds.length);
        while (text.length() < 1000) {
          boolean any = i % 2 == 0 || random.nextInt(12) == 0;
          text.append(kinds[any ? random.nextInt(kinds.length) : random.nextBoolean() ? 3 : other]);
          if (random.nextInt(300) == 0) {
            text.append(KINDS.get(random.nextInt(KINDS.size())));
          }
        }
        assertThat(tokens.check(text.toString())).as("seed %d", seed).isNotNegative();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"standard", "english"})
  void longRunsOfWhatMakesNoWordAreSkipped(String name) {
    try (TokenComparison tokens = new TokenComparison(name)) {
      assertThat(tokens.check("_".repeat(3000) + " " + ".".repeat(3000) + "#".repeat(300)))
          .isZero();
      assertThat(tokens.check("_".repeat(1000) + "a")).isEqualTo(1);
      assertThat(tokens.check("\u203F\u0301".repeat(500) + "a" + "\u0301".repeat(600)))
          .isPositive();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"standard", "english"})
  void textsOfManyScriptsAreTokenizedAsByLucene(String name) throws IOException {
    try (TokenComparison tokens = new TokenComparison(name)) {
      String text = resource("scripts.txt");
      assertThat(tokens.check(text)).isGreaterThan(180);
      assertThat(tokens.check(text.replace('\n', ' ').toUpperCase(Locale.ROOT))).isGreaterThan(180);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"standard", "english"})
  void theSamplesAreTokenizedAsByLucene(String name) throws IOException {
    try (TokenComparison tokens = new TokenComparison(name)) {
      for (Path file : samples()) {
        tokens.check(new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
      }
    }
  }

  public static List<Path> samples() throws IOException {
    Path samples = Path.of("corpus-samples");
    if (!Files.exists(samples)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(samples)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  public static String resource(String name) throws IOException {
    try (var in = FieldTokensTest.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException("no resource " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Those of planes 2 and 3, and private use: all alike. */
  private static boolean isFarIdeograph(int codePoint) {
    return (codePoint >= 0x20100 && codePoint < 0xE0000) || codePoint >= 0xE0200;
  }

  private static boolean isCharacter(int codePoint) {
    return codePoint < Character.MIN_SURROGATE || codePoint > Character.MAX_SURROGATE;
  }

  private static void flush(StringBuilder text, TokenComparison tokens, int least) {
    if (text.length() > least) {
      tokens.check(text.toString());
      text.setLength(0);
    }
  }
}
