package io.kmodel.indexer.source.record;

import com.google.common.base.Utf8;
import java.nio.charset.StandardCharsets;

/**
 * Makes valid Unicode of text that may not be: half a surrogate pair has no UTF-8, and not all
 * bytes are UTF-8.
 */
public final class WellFormed {
  private WellFormed() {}

  /**
   * The text with U+FFFD for every unpaired surrogate, which a JSON escape or an HTML character
   * reference may name. Lucene does the same; Java's encoder would write a question mark, which
   * makes a different text and id.
   */
  public static String text(String text) {
    StringBuilder repaired = null;
    for (int i = unpaired(text, 0); i < text.length(); i = unpaired(text, i + 1)) {
      repaired = repaired == null ? new StringBuilder(text) : repaired;
      repaired.setCharAt(i, '\uFFFD');
    }
    return repaired == null ? text : repaired.toString();
  }

  /** Whether a text has no unpaired surrogate. */
  public static boolean is(String text) {
    return unpaired(text, 0) == text.length();
  }

  /** The place of the next unpaired surrogate, or the length of the text. */
  private static int unpaired(String text, int from) {
    int i = from;
    while (i < text.length()) {
      char c = text.charAt(i);
      if (Character.isSurrogate(c)) {
        if (Character.charCount(text.codePointAt(i)) == 1) {
          return i;
        }
        i++;
      }
      i++;
    }
    return i;
  }

  /**
   * A name or URI: decoded as UTF-8 if it is valid, otherwise as ISO-8859-1, which keeps names that
   * are not UTF-8 distinct. A name of each kind may become the same: one name in two charsets.
   */
  public static String name(byte[] bytes, int from, int length) {
    String text = new String(bytes, from, length, StandardCharsets.UTF_8);
    return text.indexOf('\uFFFD') < 0 || Utf8.isWellFormed(bytes, from, length)
        ? text
        : new String(bytes, from, length, StandardCharsets.ISO_8859_1);
  }

  /** The same for bytes that were read as ISO-8859-1. */
  public static String name(String latin) {
    byte[] bytes = latin.getBytes(StandardCharsets.ISO_8859_1);
    return name(bytes, 0, bytes.length);
  }
}
