package io.kmodel.indexer.parse;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/**
 * Turns bytes into characters. A byte order mark wins and is left out; after it the page's own
 * declaration counts (see {@link HtmlCharset}), for HTML alone; else it is UTF-8. Bytes that are
 * invalid in the charset become U+FFFD; nothing fails.
 */
final class TextDecoder {
  private static final Charset UTF_32LE = Charset.forName("UTF-32LE");
  private static final Charset UTF_32BE = Charset.forName("UTF-32BE");

  private TextDecoder() {}

  static String plainText(byte[] bytes, int length) {
    return decode(bytes, length, false);
  }

  static String html(byte[] bytes, int length) {
    return decode(bytes, length, true);
  }

  private static String decode(byte[] bytes, int length, boolean html) {
    if (startsWith(bytes, length, 0xEF, 0xBB, 0xBF)) {
      return new String(bytes, 3, length - 3, StandardCharsets.UTF_8);
    }
    // Before UTF-16, whose mark it starts with.
    if (startsWith(bytes, length, 0xFF, 0xFE, 0, 0)) {
      return new String(bytes, 4, length - 4, UTF_32LE);
    }
    if (startsWith(bytes, length, 0, 0, 0xFE, 0xFF)) {
      return new String(bytes, 4, length - 4, UTF_32BE);
    }
    if (startsWith(bytes, length, 0xFF, 0xFE)) {
      return new String(bytes, 2, length - 2, StandardCharsets.UTF_16LE);
    }
    if (startsWith(bytes, length, 0xFE, 0xFF)) {
      return new String(bytes, 2, length - 2, StandardCharsets.UTF_16BE);
    }
    Charset charset = html ? HtmlCharset.of(bytes, length) : StandardCharsets.UTF_8;
    return new String(bytes, 0, length, charset);
  }

  private static boolean startsWith(byte[] bytes, int length, int... first) {
    if (length < first.length) {
      return false;
    }
    for (int i = 0; i < first.length; i++) {
      if ((bytes[i] & 0xFF) != first[i]) {
        return false;
      }
    }
    return true;
  }
}
