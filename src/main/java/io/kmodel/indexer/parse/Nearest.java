package io.kmodel.indexer.parse;

import java.util.Collection;
import java.util.Comparator;

/** Guesses what a user meant who wrote a name that there is not. */
public final class Nearest {
  private Nearest() {}

  /**
   * The known name that starts so, else the one that takes the fewest changes of a character; there
   * must be one.
   */
  static String of(String name, Collection<String> known) {
    return known.stream()
        .min(
            Comparator.comparing((String candidate) -> !candidate.startsWith(name))
                .thenComparing(candidate -> distance(candidate, name)))
        .orElseThrow();
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
