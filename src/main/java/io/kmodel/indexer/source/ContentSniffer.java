package io.kmodel.indexer.source;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides what bytes are, from their first {@value #WINDOW_BYTES}, by these rules in order.
 *
 * <ol>
 *   <li>Nothing at all is empty text, of the type that the name says.
 *   <li>The first bytes of a known binary format are binary.
 *   <li>After a byte order mark of UTF-8, UTF-16 or UTF-32 comes text.
 *   <li>A NUL byte, or more than one control byte in {@value #CONTROL_SHARE}, is binary. The
 *       controls that texts hold do not count: tab, line breaks, backspace, escape.
 *   <li>Text is HTML if it starts, after white space, comments and an XML declaration, with a
 *       doctype of HTML or a tag of HTML; otherwise if its name ends as those of HTML files do.
 * </ol>
 */
final class ContentSniffer {
  static final int WINDOW_BYTES = 8192;
  static final int CONTROL_SHARE = 16;

  /** First bytes that no text has, as Latin-1, and what they are called. */
  private static final ImmutableList<Map.Entry<String, String>> MAGICS =
      ImmutableList.of(
          Map.entry("%PDF-", "PDF"),
          Map.entry("\u0089PNG\r\n", "PNG"),
          Map.entry("\u00FF\u00D8\u00FF", "JPEG"),
          Map.entry("GIF87a", "GIF"),
          Map.entry("GIF89a", "GIF"),
          Map.entry("PK\u0003\u0004", "ZIP"),
          Map.entry("PK\u0005\u0006", "ZIP"),
          Map.entry("\u007FELF", "ELF"),
          Map.entry("\u001F\u008B", "gzip in gzip"),
          Map.entry("\u00FD7zXZ\0", "xz"),
          Map.entry("(\u00B5/\u00FD", "zstd"),
          Map.entry("7z\u00BC\u00AF'\u001C", "7z"),
          Map.entry("Rar!\u001A\u0007", "RAR"),
          Map.entry("\u00CA\u00FE\u00BA\u00BE", "Java class"),
          Map.entry("\u00D0\u00CF\u0011\u00E0", "OLE"),
          Map.entry("\0asm", "WebAssembly"));

  private static final ImmutableSet<String> HTML_TAGS =
      ImmutableSet.of(
          "a",
          "article",
          "aside",
          "b",
          "base",
          "body",
          "br",
          "center",
          "div",
          "dl",
          "font",
          "form",
          "frameset",
          "h1",
          "h2",
          "h3",
          "h4",
          "h5",
          "h6",
          "head",
          "header",
          "hr",
          "html",
          "iframe",
          "img",
          "link",
          "main",
          "meta",
          "nav",
          "ol",
          "p",
          "pre",
          "script",
          "section",
          "span",
          "style",
          "table",
          "title",
          "ul");

  private static final ImmutableList<String> HTML_SUFFIXES =
      ImmutableList.of(".html", ".htm", ".xhtml", ".xht", ".shtml");

  private ContentSniffer() {}

  /** Why these bytes are no text, or null where they are. */
  static @Nullable String binary(byte[] bytes, int length) {
    return binary(bytes, 0, length);
  }

  /** The same of bytes that start at an offset. */
  static @Nullable String binary(byte[] all, int from, int available) {
    int length = Math.min(available, WINDOW_BYTES);
    byte[] bytes = from == 0 ? all : Arrays.copyOfRange(all, from, from + length);
    for (Map.Entry<String, String> magic : MAGICS) {
      if (startsWith(bytes, length, magic.getKey())) {
        return "starts as " + magic.getValue() + " files do";
      }
    }
    if (unitBytes(bytes, length) > 1) {
      return null;
    }
    int window = Math.min(length, WINDOW_BYTES);
    int controls = 0;
    for (int i = 0; i < window; i++) {
      if (bytes[i] == 0) {
        return "NUL at byte " + i;
      }
      controls += isOddControl(bytes[i]) ? 1 : 0;
    }
    return (long) controls * CONTROL_SHARE > window
        ? "%d control characters in the first %d bytes".formatted(controls, window)
        : null;
  }

  /** How bytes that are not binary are to be read. */
  static ContentType type(byte[] bytes, int length, String name) {
    String start = start(bytes, length);
    if (startsAsHtml(start)) {
      return ContentType.HTML;
    }
    String lower = Compression.plainName(name);
    return HTML_SUFFIXES.stream().anyMatch(lower::endsWith)
        ? ContentType.HTML
        : ContentType.PLAIN_TEXT;
  }

  private static boolean isSpace(byte b) {
    return b == ' ' || b == '\t' || b == '\r' || b == '\n' || b == '\f';
  }

  private static boolean isOddControl(byte b) {
    boolean control = (b >= 0 && b < 0x20) || b == 0x7F;
    return control && !(b >= '\b' && b <= '\r') && b != 0x1B;
  }

  private static boolean startsWith(byte[] bytes, int length, String latin1) {
    if (length < latin1.length()) {
      return false;
    }
    for (int i = 0; i < latin1.length(); i++) {
      if ((bytes[i] & 0xFF) != latin1.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Bytes of a code unit, by the byte order mark: 2 for UTF-16, 4 for UTF-32, else 1. */
  private static int unitBytes(byte[] bytes, int length) {
    if (startsWith(bytes, length, "\0\0\u00FE\u00FF")
        || startsWith(bytes, length, "\u00FF\u00FE\0\0")) {
      return 4;
    }
    return startsWith(bytes, length, "\u00FE\u00FF") || startsWith(bytes, length, "\u00FF\u00FE")
        ? 2
        : 1;
  }

  /** The window as ASCII in lower case, whatever the encoding; without a byte order mark. */
  private static String start(byte[] bytes, int length) {
    int window = Math.min(length, WINDOW_BYTES);
    int unit = unitBytes(bytes, length);
    if (unit == 1) {
      int from = startsWith(bytes, length, "\u00EF\u00BB\u00BF") ? 3 : 0;
      while (from < window && isSpace(bytes[from])) {
        from++;
      }
      // Most texts are told from HTML by this.
      if (from == window || bytes[from] != '<') {
        return "";
      }
      return lower(new String(bytes, from, window - from, StandardCharsets.ISO_8859_1));
    }
    boolean bigEndian = bytes[0] == 0 || bytes[0] == (byte) 0xFE;
    StringBuilder ascii = new StringBuilder(window / unit);
    for (int at = unit; at + unit <= window; at += unit) {
      int value = 0;
      for (int b = 0; b < unit; b++) {
        value = (value << 8) | (bytes[at + (bigEndian ? b : unit - 1 - b)] & 0xFF);
      }
      ascii.append(value >= 0 && value < 0x80 ? (char) value : '\uFFFD');
    }
    return lower(ascii.toString());
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  private static boolean startsAsHtml(String start) {
    int at = skipSpace(start, 0);
    while (start.startsWith("<!--", at) || start.startsWith("<?xml", at)) {
      String close = start.startsWith("<!--", at) ? "-->" : "?>";
      int end = start.indexOf(close, at);
      if (end < 0) {
        return false;
      }
      at = skipSpace(start, end + close.length());
    }
    if (start.startsWith("<!doctype", at)) {
      return start.startsWith("html", skipSpace(start, at + "<!doctype".length()));
    }
    if (at >= start.length() || start.charAt(at) != '<') {
      return false;
    }
    int end = at + 1;
    while (end < start.length() && Character.isLetterOrDigit(start.charAt(end))) {
      end++;
    }
    boolean closed = end < start.length() && " \t\r\n\f/>".indexOf(start.charAt(end)) >= 0;
    return closed && HTML_TAGS.contains(start.substring(at + 1, end));
  }

  private static int skipSpace(String text, int from) {
    int at = from;
    while (at < text.length() && " \t\r\n\f".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    return at;
  }
}
