package io.kmodel.indexer.cli.base;

import java.util.HexFormat;
import java.util.stream.Collectors;

/**
 * Makes text from outside, such as page titles, file names and ids, safe to show. A terminal would
 * obey control characters, and directional characters would reorder the text.
 */
public final class Visible {
  private static final HexFormat HEX = HexFormat.of();

  private Visible() {}

  /**
   * Returns the text with control characters, including line ends, as {@code \\x} and two digits.
   * Directional characters, line and paragraph separators become {@code \\u} and four digits.
   */
  public static String of(String text) {
    StringBuilder visible = null;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (isControl(c)) {
        visible = visible == null ? new StringBuilder(text.substring(0, i)) : visible;
        append(c, visible);
      } else if (visible != null) {
        visible.append(c);
      }
    }
    return visible == null ? text : visible.toString();
  }

  private static boolean isControl(char c) {
    return Character.isISOControl(c)
        || c == '\u061C'
        || c == '\u200E'
        || c == '\u200F'
        || (c >= '\u2028' && c <= '\u202E')
        || (c >= '\u2066' && c <= '\u2069');
  }

  private static void append(char c, StringBuilder visible) {
    if (c <= 0xFF) {
      visible.append("\\x").append(HEX.toHexDigits((byte) c));
    } else {
      visible.append("\\u").append(HEX.toHexDigits(c));
    }
  }

  /** Does the same for each of several lines. */
  static String lines(String text) {
    return text.lines().map(Visible::of).collect(Collectors.joining("\n"));
  }
}
