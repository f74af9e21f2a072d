package io.kmodel.indexer.parse.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Suggests a known name for an unknown one. */
public final class Suggestions {
  private Suggestions() {}

  /** A name may have one wrong character in this many; with more, it is another name. */
  private static final int RIGHT_FOR_WRONG = 3;

  /**
   * Returns the known name that starts with this one, else the one with the smallest edit distance,
   * the first in order among equals. Empty if none is similar.
   */
  public static Optional<String> of(String name, Collection<String> known) {
    return known.stream()
        .filter(candidate -> isLike(name, candidate))
        .min(
            Comparator.comparing((String candidate) -> !candidate.startsWith(name))
                .thenComparing(candidate -> distance(candidate, name))
                .thenComparing(candidate -> candidate));
  }

  private static boolean isLike(String name, String candidate) {
    int length = Math.max(name.length(), candidate.length());
    return !name.isEmpty()
        && (candidate.startsWith(name) || distance(candidate, name) <= length / RIGHT_FOR_WRONG);
  }

  /**
   * Returns a suggestion to append to a message about an unknown name; empty if no name is similar.
   */
  public static String question(String name, Collection<String> known) {
    return of(name, known).map("; did you mean '%s'?"::formatted).orElse("");
  }

  /** Returns the same, and all known names. */
  public static String among(String name, Collection<String> known) {
    String question = question(name, known);
    return "%s known: %s".formatted(question.isEmpty() ? ";" : question, String.join(", ", known));
  }

  /**
   * Returns the edit distance of two words: inserted, deleted and replaced characters, and adjacent
   * ones in the other order.
   */
  public static int distance(String a, String b) {
    int[] twoBefore = new int[b.length() + 1];
    int[] before = new int[b.length() + 1];
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] free = twoBefore;
      twoBefore = before;
      before = row;
      row = free;
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = before[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(replaced, 1 + Math.min(before[j], row[j - 1]));
        if (isSwapped(a, i, b, j)) {
          row[j] = Math.min(row[j], twoBefore[j - 2] + 1);
        }
      }
    }
    return row[b.length()];
  }

  private static boolean isSwapped(String a, int i, String b, int j) {
    return i > 1
        && j > 1
        && a.charAt(i - 1) == b.charAt(j - 2)
        && a.charAt(i - 2) == b.charAt(j - 1);
  }
}
