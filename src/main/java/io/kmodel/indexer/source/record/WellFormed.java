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
   * The offset after the characters that are not ASCII, from an offset on; -1 if they are not valid
   * UTF-8.
   */
  public static int afterWide(byte[] utf8, int from, int end) {
    int at = from;
    while (at < end && utf8[at] < 0) {
      int bytes = wideBytes(utf8, at, end);
      if (bytes == 0) {
        return -1;
      }
      at += bytes;
    }
    return at;
  }

  /** The bytes of a character that is not ASCII; 0 if it is not valid UTF-8. */
  private static int wideBytes(byte[] utf8, int at, int end) {
    int lead = utf8[at] & 0xFF;
    int bytes = lead < 0xC2 || lead > 0xF4 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (bytes == 0 || at + bytes > end) {
      return 0;
    }
    // The second byte excludes longer forms than needed, surrogates and code points above U+10FFFF.
    int second = utf8[at + 1] & 0xFF;
    int least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    int most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    boolean isValid = second >= least && second <= most;
    for (int i = 2; i < bytes; i++) {
      isValid &= (utf8[at + i] & 0xC0) == 0x80;
    }
    return isValid ? bytes : 0;
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
