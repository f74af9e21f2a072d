package io.kmodel.indexer.cli;

import java.util.Locale;

/** Numbers of things as people write them: {@code 1 document}, {@code 1,234 documents}. */
final class Counted {
  private Counted() {}

  /**
   * @param one what one of them is called; with an s for more or none
   */
  static String of(long number, String one) {
    return String.format(Locale.ROOT, "%,d %s%s", number, one, number == 1 ? "" : "s");
  }
}
