package io.kmodel.indexer.cli.view;

import java.util.Locale;

/** Numbers of things as people write them: {@code 1 document}, {@code 1,234 documents}. */
public final class Counted {
  private Counted() {}

  /**
   * Formats a number of things.
   *
   * @param one the singular; any number but 1 appends an s
   */
  public static String of(long number, String one) {
    return String.format(Locale.ROOT, "%,d %s%s", number, one, number == 1 ? "" : "s");
  }
}
