package io.kmodel.indexer.parse;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;

/**
 * The analyzers that an index can be built with, by the names users give. An analyzer is safe for
 * many threads and belongs to the caller, who closes it.
 */
public final class Analyzers {
  public static final String STANDARD = "standard";
  public static final String ENGLISH = "english";
  public static final String WHITESPACE = "whitespace";

  private static final ImmutableMap<String, Supplier<Analyzer>> KNOWN =
      ImmutableMap.of(
          // Words by Unicode's rules, in lower case; no stop words.
          STANDARD, StandardAnalyzer::new,
          // The same without possessives and Lucene's English stop words, stemmed by Porter.
          ENGLISH, EnglishAnalyzer::new,
          // What stands between white space, as it stands.
          WHITESPACE, WhitespaceAnalyzer::new);

  /** Those that have a way from bytes to tokens without Lucene's. */
  private static final ImmutableMap<String, Supplier<FieldTokens>> FROM_BYTES =
      ImmutableMap.of(STANDARD, StandardTokens::new, ENGLISH, EnglishTokens::new);

  private Analyzers() {}

  /** The names, in the order they are documented in. */
  public static ImmutableSet<String> names() {
    return KNOWN.keySet();
  }

  /**
   * A new analyzer.
   *
   * @throws IllegalArgumentException if there is none of this name; says which there are
   */
  public static Analyzer named(String name) {
    Supplier<Analyzer> known = KNOWN.get(name);
    if (known == null) {
      throw new IllegalArgumentException(
          "no analyzer '%s'; did you mean '%s'? there are %s"
              .formatted(name, nearest(name), String.join(", ", KNOWN.keySet())));
    }
    return known.get();
  }

  /** Whether {@link #fieldTokens} has something for an analyzer. */
  public static boolean hasFieldTokens(String name) {
    return FROM_BYTES.containsKey(name);
  }

  /**
   * What turns UTF-8 bytes into an analyzer's tokens several times faster than the analyzer: a new
   * one, as each thread needs its own. Empty for an analyzer that has none.
   */
  public static Optional<FieldTokens> fieldTokens(String name) {
    return Optional.ofNullable(FROM_BYTES.get(name)).map(Supplier::get);
  }

  private static String nearest(String name) {
    return KNOWN.keySet().stream()
        .min(Comparator.comparingInt(known -> distance(known, name)))
        .orElseThrow();
  }

  /** Insertions, deletions and replacements of a character that turn one word into the other. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j - 1], row[j]));
      }
    }
    return row[b.length()];
  }
}
