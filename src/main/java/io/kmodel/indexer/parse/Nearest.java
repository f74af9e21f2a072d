package io.kmodel.indexer.parse;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Guesses what a user meant who wrote a name that there is not. */
public final class Nearest {
  private Nearest() {}

  /** A share of a name's characters that may be wrong: with more, it is another name. */
  private static final int RIGHT_FOR_WRONG = 3;

  /**
   * The known name that starts so, else the one that takes the fewest changes of a character, the
   * first in order of several; nothing where none is like it.
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

  /** What a message says behind a name that there is not: a question, where one is like it. */
  static String question(String name, Collection<String> known) {
    return of(name, known).map("; did you mean '%s'?"::formatted).orElse("");
  }

  /** The same, and all names that there are. */
  static String among(String name, Collection<String> known) {
    String question = question(name, known);
    return "%s there are %s"
        .formatted(question.isEmpty() ? ";" : question, String.join(", ", known));
  }

  /** Insertions, deletions and replacements of a character that turn one word into the other. */
  public static int distance(String a, String b) {
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
