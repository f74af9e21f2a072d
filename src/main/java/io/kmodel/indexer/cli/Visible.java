package io.kmodel.indexer.cli;

import java.util.HexFormat;
import java.util.stream.Collectors;

/**
 * Text from outside, such as a page's title, a file's name or an id, as it is shown to people: a
 * terminal would obey the control characters in it, and show what is between those of direction in
 * another order than it has.
 */
final class Visible {
  private static final HexFormat HEX = HexFormat.of();

  private Visible() {}

  /**
   * The text with every control character as {@code \\x} and its two digits, line ends, too, and
   * those of direction, lines and paragraphs beyond as {@code \\u} and four.
   */
  static String of(String text) {
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

  /** The same of several lines. */
  static String lines(String text) {
    return text.lines().map(Visible::of).collect(Collectors.joining("\n"));
  }
}
