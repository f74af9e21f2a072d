package io.kmodel.indexer.source;

/** Makes Unicode of what may only look like it: half a surrogate pair has no UTF-8. */
public final class WellFormed {
  private WellFormed() {}

  /**
   * The text with U+FFFD for every unpaired surrogate, which an escape of JSON or a character
   * reference of HTML may name. So does Lucene, where Java's encoder would put a question mark,
   * which is another text and another id.
   */
  public static String text(String text) {
    StringBuilder repaired = null;
    for (int i = 0; i < text.length(); i++) {
      if (!Character.isSurrogate(text.charAt(i))) {
        continue;
      }
      if (Character.charCount(text.codePointAt(i)) == 2) {
        i++;
      } else {
        repaired = repaired == null ? new StringBuilder(text) : repaired;
        repaired.setCharAt(i, '\uFFFD');
      }
    }
    return repaired == null ? text : repaired.toString();
  }
}
