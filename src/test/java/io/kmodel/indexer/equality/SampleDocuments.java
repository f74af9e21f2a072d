package io.kmodel.indexer.equality;

import io.kmodel.indexer.parse.ParsedDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Documents that try an index: the awkward ones by hand, the many ones by chance. */
public final class SampleDocuments {
  private static final int VOCABULARY = 3000;

  /** Between words; Lucene's analyzers treat them differently. */
  private static final String[] SEPARATORS = {" ", " ", " ", " ", "\n", ", ", ". ", "-", "'s "};

  /** What a word may end with: code points whose order in UTF-16 and in UTF-8 differs, too. */
  private static final String[] ODD = {
    "é", "ß", "\uD835\uDD38", "\uD83D\uDE00", "\uFF21", "\uFFFD", "漢字", "ไทย", "ъ", "1.5", "İ"
  };

  private SampleDocuments() {}

  /** Empty texts, empty titles, supplementary characters, long words, a long document. */
  public static List<ParsedDocument> awkward() {
    String longest = "x".repeat(255);
    return List.of(
        new ParsedDocument("first", "Plain title", "The quick brown fox's tail, the fox jumps."),
        new ParsedDocument("no/contents", "only a title", ""),
        new ParsedDocument("no title", "", "only contents here, only here"),
        new ParsedDocument("nothing", "", ""),
        new ParsedDocument("punctuation", "... !!!", "--- ,,, \u2014"),
        new ParsedDocument("stop words", "the", "the a an and of the"),
        new ParsedDocument(
            "unicode", "\uFF21 \uD835\uDD38", "z\uFF21 z\uD835\uDD38 z\uE000 z\uD83D\uDE00 zé z"),
        new ParsedDocument("emoji \uD83D\uDE00", "\uD83D\uDE00", "a\uD83D\uDE00b \uD83D\uDE00"),
        new ParsedDocument("longest", longest, longest + " " + longest + "y " + "y".repeat(700)),
        new ParsedDocument("longest\uD835\uDD38", "", "\uD835\uDD38".repeat(255) + " tail"),
        new ParsedDocument("repeats", "same same", "word ".repeat(10_000)),
        new ParsedDocument("many", "numbers", numbers(10_000)),
        new ParsedDocument("after", "the end", "fox quick same word here numbers 17 4711"));
  }

  /** Texts that are no well-formed UTF-16. */
  public static List<ParsedDocument> loneSurrogates() {
    return List.of(
        new ParsedDocument("half", "a title", "before \uD835 after \uDD38x end a\uD835"),
        new ParsedDocument("whole", "a title", "before \uD835\uDD38 after \uFFFDx end a\uFFFD"));
  }

  /** A text whose halves of surrogate pairs are replaced by U+FFFD, as a parser does it. */
  public static String wellFormed(String text) {
    return text.codePoints()
        .map(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? 0xFFFD : c)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  /** Documents of words with Zipf-like frequencies; about one text in ten is empty. */
  public static List<ParsedDocument> random(long seed, int documents, int words) {
    Random random = new Random(seed);
    List<ParsedDocument> result = new ArrayList<>();
    for (int i = 0; i < documents; i++) {
      int length = random.nextInt(10) == 0 ? 0 : random.nextInt(2 * words);
      int titleLength = random.nextInt(10) == 0 ? 0 : random.nextInt(8);
      // Ids do not ascend with docIDs, as a term order would have it.
      String id = "dir-" + (i * 7919L % 104_729) + "/doc " + i + ".html";
      result.add(new ParsedDocument(id, text(random, titleLength), text(random, length)));
    }
    return result;
  }

  private static String text(Random random, int words) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < words; i++) {
      double u = random.nextDouble();
      int rank = (int) Math.min(VOCABULARY - 1, Math.exp(u * Math.log(VOCABULARY)));
      text.append(rank < 3 ? "the" : "w" + Integer.toString(rank, 36));
      if (rank % 97 == 5) {
        text.append(ODD[rank % ODD.length]);
      }
      text.append(SEPARATORS[random.nextInt(SEPARATORS.length)]);
    }
    return text.toString();
  }

  private static String numbers(int count) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append(i % 5000).append(' ');
    }
    return text.toString();
  }
}
