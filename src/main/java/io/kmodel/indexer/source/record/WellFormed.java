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
