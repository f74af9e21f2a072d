package io.kmodel.indexer.source;

import com.google.common.base.Utf8;
import java.nio.charset.StandardCharsets;

/**
 * Makes Unicode of what may only look like it: half a surrogate pair has no UTF-8, and not all
 * bytes are UTF-8.
 */
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

  /**
   * A name or URI: as UTF-8 if it is that, else as ISO-8859-1, in which no two that are not UTF-8
   * are the same. One of each may be: the same name in two charsets.
   */
  static String name(byte[] bytes, int from, int length) {
    String text = new String(bytes, from, length, StandardCharsets.UTF_8);
    return text.indexOf('\uFFFD') < 0 || Utf8.isWellFormed(bytes, from, length)
        ? text
        : new String(bytes, from, length, StandardCharsets.ISO_8859_1);
  }

  /** The same of bytes that were read as ISO-8859-1. */
  static String name(String latin) {
    byte[] bytes = latin.getBytes(StandardCharsets.ISO_8859_1);
    return name(bytes, 0, bytes.length);
  }
}
