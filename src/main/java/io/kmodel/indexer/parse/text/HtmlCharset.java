package io.kmodel.indexer.parse.text;

import io.kmodel.indexer.source.record.HtmlAttributes;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The charset that an HTML page declares in its first {@value #WINDOW_BYTES} bytes. It is the known
 * charset of the first {@code <meta charset=…>} or {@code <meta http-equiv=content-type
 * content="…charset=…">} outside of comments, else the encoding of an XML declaration, else UTF-8.
 * The scan is the HTML standard's, with a larger window.
 *
 * <p>Names have the meaning that browsers give them, see {@link CharsetLabels}: ISO-8859-1 and
 * US-ASCII mean windows-1252, and other old names mean the supersets in which pages are really
 * written. Other names mean the JDK's charsets. A page that declares its charset in ASCII cannot
 * use one whose ASCII letters are not single ASCII bytes; such a page is read as UTF-8.
 */
final class HtmlCharset {
  static final int WINDOW_BYTES = 8192;

  /** Most pages declare it before this offset, as the HTML standard requires. */
  private static final int SOON_BYTES = 1024;

  private static final String ASCII_PROBE = "<meta charset=\"Az09\">";

  private final String text;
  private int at;

  private HtmlCharset(String text) {
    this.text = text;
  }

  /** Returns the charset; UTF-8 if there is no valid declaration. Never fails. */
  static Charset of(byte[] bytes, int length) {
    int window = Math.min(length, WINDOW_BYTES);
    if (!mayDeclare(bytes, window)) {
      return StandardCharsets.UTF_8;
    }
    // A declaration found in the start of the window would be found in the whole window, too: a
    // truncated construct extends to the end of the text, and a tag counts only with its end.
    Charset charset = window > SOON_BYTES ? scan(latin(bytes, SOON_BYTES)) : null;
    if (charset == null) {
      String text = latin(bytes, window);
      charset = scan(text);
      if (charset == null) {
        charset = xmlEncoding(text);
      }
    }
    return charset == null ? StandardCharsets.UTF_8 : charset;
  }

  private static String latin(byte[] bytes, int length) {
    return new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
  }

  private static @Nullable Charset scan(String text) {
    return new HtmlCharset(text).scan();
  }

  /** Whether the bytes contain the start of "charset", or start like an XML declaration. */
  private static boolean mayDeclare(byte[] bytes, int window) {
    for (int i = 0; i < window - 3; i++) {
      if ((bytes[i] | 0x20) == 'c'
          && (bytes[i + 1] | 0x20) == 'h'
          && (bytes[i + 2] | 0x20) == 'a'
          && (bytes[i + 3] | 0x20) == 'r') {
        return true;
      }
    }
    return window > 1 && bytes[0] == '<' && bytes[1] == '?';
  }

  /**
   * Returns the charset of a name given outside of the page; the page's bytes need not be
   * ASCII-compatible.
   */
  static @Nullable Charset declared(String label) {
    return switch (label.strip().toLowerCase(Locale.ROOT)) {
      case "utf-16",
          "utf-16le",
          "csunicode",
          "iso-10646-ucs-2",
          "ucs-2",
          "unicode",
          "unicodefeff" ->
          StandardCharsets.UTF_16LE;
      case "utf-16be", "unicodefffe" -> StandardCharsets.UTF_16BE;
      default -> named(label);
    };
  }

  /** Returns the charset of a name, or null if it is unknown. */
  static @Nullable Charset named(String label) {
    String name = label.strip().toLowerCase(Locale.ROOT);
    if (name.equals("utf-8")) {
      return StandardCharsets.UTF_8;
    }
    Charset standard = CharsetLabels.charset(name);
    return standard == null ? ofJava(name) : standard;
  }

  /** Looks up a name in the JDK that browsers do not know. */
  private static @Nullable Charset ofJava(String name) {
    try {
      Charset charset = Charset.forName(name);
      Charset superset = CharsetLabels.charset(charset.name().toLowerCase(Locale.ROOT));
      if (superset != null) {
        return superset;
      }
      byte[] probe = ASCII_PROBE.getBytes(StandardCharsets.US_ASCII);
      return new String(probe, charset).equals(ASCII_PROBE) ? charset : StandardCharsets.UTF_8;
    } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
      return null;
    }
  }

  private @Nullable Charset scan() {
    while (at < text.length()) {
      int open = text.indexOf('<', at);
      if (open < 0) {
        return null;
      }
      at = open + 1;
      if (text.startsWith("!--", at)) {
        // As in the standard, the dashes that open a comment may also close it.
        int close = text.indexOf("-->", at + 1);
        at = close < 0 ? text.length() : close + 3;
      } else if (isMeta()) {
        at += 4;
        Charset charset = meta();
        if (charset != null) {
          return charset;
        }
      } else if (isLetter(at) || (text.startsWith("/", at) && isLetter(at + 1))) {
        skipTag();
      } else if (at < text.length() && "!/?".indexOf(text.charAt(at)) >= 0) {
        int close = text.indexOf('>', at);
        at = close < 0 ? text.length() : close + 1;
      }
    }
    return null;
  }

  private boolean isMeta() {
    return text.regionMatches(true, at, "meta", 0, 4)
        && at + 4 < text.length()
        && (isSpace(at + 4) || text.charAt(at + 4) == '/');
  }

  /** Reads the attributes of a meta tag; the first of each name counts. */
  private @Nullable Charset meta() {
    Map<String, String> attributes = attributes();
    String declared = attributes.get("charset");
    String content = attributes.get("content");
    String equivalent = attributes.getOrDefault("http-equiv", "");
    boolean contentType = equivalent.strip().equalsIgnoreCase("content-type");
    if (at > text.length()) {
      // The tag does not end within the window.
      return null;
    }
    if (declared == null && contentType && content != null) {
      declared = fromContent(content);
    }
    return declared == null ? null : named(declared);
  }

  private static @Nullable String fromContent(String content) {
    String lower = content.toLowerCase(Locale.ROOT);
    for (int found = lower.indexOf("charset"); found >= 0; ) {
      int from = skipSpace(lower, found + "charset".length());
      if (from < lower.length() && lower.charAt(from) == '=') {
        return unquoted(lower, skipSpace(lower, from + 1));
      }
      found = lower.indexOf("charset", found + 1);
    }
    return null;
  }

  private static @Nullable String unquoted(String text, int from) {
    if (from >= text.length()) {
      return null;
    }
    char quote = text.charAt(from);
    if (quote == '"' || quote == '\'') {
      int end = text.indexOf(quote, from + 1);
      return end < 0 ? null : text.substring(from + 1, end);
    }
    int end = from;
    while (end < text.length() && text.charAt(end) != ';' && !isSpace(text.charAt(end))) {
      end++;
    }
    return text.substring(from, end);
  }

  private static @Nullable Charset xmlEncoding(String text) {
    if (!text.startsWith("<?xml")) {
      return null;
    }
    int end = text.indexOf('>');
    int found = end < 0 ? -1 : text.substring(0, end).indexOf("encoding");
    if (found < 0) {
      return null;
    }
    int equals = skipSpace(text, found + "encoding".length());
    if (text.charAt(equals) != '=') {
      return null;
    }
    String name = unquoted(text.substring(0, end), skipSpace(text, equals + 1));
    return name == null ? null : named(name);
  }

  /** Skips a tag other than meta, with its attributes. */
  private void skipTag() {
    while (at < text.length() && !isSpace(at) && text.charAt(at) != '>') {
      at++;
    }
    // The quotes may contain anything.
    attributes();
  }

  /** Reads the attributes of a tag and moves behind it. */
  private Map<String, String> attributes() {
    HtmlAttributes attributes = new HtmlAttributes(text, at);
    Map<String, String> all = attributes.rest();
    at = attributes.end();
    return all;
  }

  private boolean isLetter(int index) {
    if (index >= text.length()) {
      return false;
    }
    int lower = text.charAt(index) | 0x20;
    return lower >= 'a' && lower <= 'z';
  }

  private boolean isSpace(int index) {
    return isSpace(text.charAt(index));
  }

  private static boolean isSpace(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r' && c != '\u000B');
  }

  private static int skipSpace(String text, int from) {
    int index = from;
    while (index < text.length() && isSpace(text.charAt(index))) {
      index++;
    }
    return index;
  }
}
