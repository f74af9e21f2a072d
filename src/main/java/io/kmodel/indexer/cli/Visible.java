package io.kmodel.indexer.cli;

import java.util.HexFormat;
import java.util.stream.Collectors;

/**
 * Text from outside, such as a page's title, a file's name or an id, as it is shown to people: a
 * terminal would obey the control characters in it.
 */
final class Visible {
  private static final HexFormat HEX = HexFormat.of();

  private Visible() {}

  /** The text with every control character as {@code \\x} and its two digits, line ends, too. */
  static String of(String text) {
    StringBuilder visible = null;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isISOControl(c)) {
        visible = visible == null ? new StringBuilder(text.substring(0, i)) : visible;
        visible.append("\\x").append(HEX.toHexDigits((byte) c));
      } else if (visible != null) {
        visible.append(c);
      }
    }
    return visible == null ? text : visible.toString();
  }

  /** The same of several lines. */
  static String lines(String text) {
    return text.lines().map(Visible::of).collect(Collectors.joining("\n"));
  }
}
