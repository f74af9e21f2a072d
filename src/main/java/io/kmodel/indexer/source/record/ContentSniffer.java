package io.kmodel.indexer.source.record;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.kmodel.indexer.source.ContentType;
import io.kmodel.indexer.source.unpack.Compression;
import io.kmodel.indexer.store.LittleEndian;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Classifies content by its first {@value #WINDOW_BYTES} bytes, with these rules in order. (The
 * text before a page's first tag may be longer, except in UTF-16 and UTF-32.)
 *
 * <ol>
 *   <li>Nothing at all is empty text, of the type that the name suggests.
 *   <li>Content that starts with the signature of a known binary format is binary.
 *   <li>Content that starts with a byte order mark of UTF-16 or UTF-32 is text.
 *   <li>Content with a NUL byte, unless it is declared as text, or with more than one control byte
 *       in {@value #CONTROL_SHARE}, is binary. Tab, line breaks, backspace and escape occur in
 *       texts and do not count.
 *   <li>Text is XML if its name ends in .xhtml or .xht.
 *   <li>Text is HTML if it starts, after white space, comments and an XML declaration, with an HTML
 *       doctype or an HTML tag; otherwise if its name has an HTML suffix.
 *   <li>Other text that starts with an XML declaration is XML.
 * </ol>
 */
public final class ContentSniffer {
  public static final int WINDOW_BYTES = 8192;
  static final int CONTROL_SHARE = 16;

  private static final int TAR_MAGIC_AT = 257;
  private static final String TAR_MAGIC = "ustar";
  private static final String TAR = "a tar archive; unpack it to index its files";

  /** Signatures that no text starts with, as Latin-1, and the names of their formats. */
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
          Map.entry("PAR1\u0015", "Parquet"),
          Map.entry("ARROW1\0\0", "Arrow"),
          Map.entry("SQLite format 3\0", "SQLite"),
          Map.entry("\u001F\u008B", "nested gzip"),
          Map.entry("\u001F\u009D", "compress"),
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
      ImmutableList.of(".html", ".htm", ".shtml");

  /** Names that browsers parse as XML. */
  private static final ImmutableList<String> XML_SUFFIXES = ImmutableList.of(".xhtml", ".xht");

  /**
   * The Encoding Standard's labels of UTF-16; no other label has declared text decoded as UTF-16.
   */
  private static final ImmutableSet<String> WIDE_LABELS =
      ImmutableSet.of(
          "utf-16",
          "utf-16le",
          "utf-16be",
          "csunicode",
          "iso-10646-ucs-2",
          "ucs-2",
          "unicode",
          "unicodefeff",
          "unicodefffe");

  /** By byte: whether a signature starts with it. */
  private static final boolean[] BEGINS_MAGIC = new boolean[256];

  static {
    for (Map.Entry<String, String> magic : MAGICS) {
      BEGINS_MAGIC[magic.getKey().charAt(0)] = true;
    }
  }

  private static final long EACH_BYTE = 0x0101010101010101L;
  private static final long HIGH_BITS = 0x8080808080808080L;
  private static final long LOW_SEVEN = 0x7F * EACH_BYTE;

  private static final long FROM_BACKSPACE = (0x80 - '\b') * EACH_BYTE;
  private static final long AFTER_RETURN = (0x80 - '\r' - 1) * EACH_BYTE;
  private static final long FROM_SPACE = (0x80 - ' ') * EACH_BYTE;
  private static final long DELETE = EACH_BYTE;

  private ContentSniffer() {}

  /** Why these bytes are not text; null if they are. */
  public static @Nullable String binary(byte[] bytes, int length) {
    return binary(bytes, 0, length);
  }

  /**
   * The same for bytes that are declared as text. A NUL is just another control character there,
   * and in UTF-16, with or without a byte order mark, it is part of most characters.
   *
   * @param charset the declared charset, or empty
   */
  public static @Nullable String binaryForText(byte[] bytes, int available, String charset) {
    int length = Math.min(available, WINDOW_BYTES);
    String magic = magic(bytes, length);
    if (magic != null) {
      return magic;
    }
    if (isTar(bytes, length)) {
      return TAR;
    }
    boolean isWide =
        unitBytes(bytes, length) > 1
            || WIDE_LABELS.contains(charset.strip().toLowerCase(Locale.ROOT));
    return isWide ? null : controls(bytes, length, /* isNulFatal= */ false);
  }

  /** The same for bytes that start at an offset. */
  public static @Nullable String binary(byte[] all, int from, int available) {
    int length = Math.min(available, WINDOW_BYTES);
    byte[] bytes = from == 0 ? all : Arrays.copyOfRange(all, from, from + length);
    String magic = magic(bytes, length);
    if (magic != null) {
      return magic;
    }
    String controls =
        unitBytes(bytes, length) > 1 ? null : controls(bytes, length, /* isNulFatal= */ true);
    return controls != null && isTar(bytes, length) ? TAR : controls;
  }

  private static @Nullable String magic(byte[] bytes, int length) {
    if (length > 0 && BEGINS_MAGIC[bytes[0] & 0xFF]) {
      for (Map.Entry<String, String> magic : MAGICS) {
        if (startsWith(bytes, length, magic.getKey())) {
          return "starts with the " + magic.getValue() + " signature";
        }
      }
    }
    return null;
  }

  private static boolean isTar(byte[] bytes, int length) {
    return length >= TAR_MAGIC_AT + TAR_MAGIC.length()
        && TAR_MAGIC.equals(
            new String(bytes, TAR_MAGIC_AT, TAR_MAGIC.length(), StandardCharsets.ISO_8859_1));
  }

  /**
   * Whether there are more control characters than in text. Most groups of eight bytes are skipped
   * at once.
   */
  private static @Nullable String controls(byte[] bytes, int length, boolean isNulFatal) {
    int controls = 0;
    int at = 0;
    while (at < length) {
      if (at <= length - Long.BYTES && perhapsOddControls(LittleEndian.getLong(bytes, at)) == 0) {
        at += Long.BYTES;
        continue;
      }
      for (int end = Math.min(at + Long.BYTES, length); at < end; at++) {
        if (bytes[at] == 0 && isNulFatal) {
          return "NUL at byte " + at;
        }
        controls += isOddControl(bytes[at]) ? 1 : 0;
      }
    }
    return (long) controls * CONTROL_SHARE > length
        ? "%d control characters in the first %d bytes".formatted(controls, length)
        : null;
  }

  /**
   * The high bits of those of eight bytes that are control characters outside the range from
   * backspace to carriage return. Line breaks are in every text, and checking each one individually
   * took 1.4 % of a build from HTML. Each sum sets the high bit of all bytes from some value on, so
   * every boundary between usual and unusual bytes flips that bit once. The method has fewer
   * bytecodes than {@code FreqInlineSize}, because a call for every eight bytes took three times as
   * long.
   */
  private static long perhapsOddControls(long eight) {
    long low = eight & LOW_SEVEN;
    long usual =
        (low + FROM_BACKSPACE) ^ (low + AFTER_RETURN) ^ (low + FROM_SPACE) ^ (low + DELETE);
    return ~(usual | eight) & HIGH_BITS;
  }

  /** The type of content that is not binary. */
  public static ContentType type(byte[] bytes, int length, String name) {
    if (isNamed(name, XML_SUFFIXES)) {
      return ContentType.XML;
    }
    if (startsAsHtml(bytes, length) || isNamed(name, HTML_SUFFIXES)) {
      return ContentType.HTML;
    }
    return startsAsXml(bytes, length) ? ContentType.XML : ContentType.PLAIN_TEXT;
  }

  private static boolean isNamed(String name, ImmutableList<String> suffixes) {
    String plain = Compression.plainEnd(name);
    for (String suffix : suffixes) {
      if (plain.endsWith(suffix)) {
        return true;
      }
    }
    return false;
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

  /**
   * Bytes of a code unit, according to the byte order mark: 2 for UTF-16, 4 for UTF-32, otherwise
   * 1.
   */
  private static int unitBytes(byte[] bytes, int length) {
    if (startsWith(bytes, length, "\0\0\u00FE\u00FF")
        || startsWith(bytes, length, "\u00FF\u00FE\0\0")) {
      return 4;
    }
    return startsWith(bytes, length, "\u00FE\u00FF") || startsWith(bytes, length, "\u00FF\u00FE")
        ? 2
        : 1;
  }

  private static boolean startsAsHtml(byte[] bytes, int length) {
    int unit = unitBytes(bytes, length);
    if (unit == 1) {
      return startsAsHtml(bytes, markBytes(bytes, length), length);
    }
    byte[] ascii = ascii(bytes, Math.min(length, WINDOW_BYTES), unit);
    return startsAsHtml(ascii, 0, ascii.length);
  }

  private static int markBytes(byte[] bytes, int length) {
    return startsWith(bytes, length, "\u00EF\u00BB\u00BF") ? 3 : 0;
  }

  private static boolean startsAsXml(byte[] bytes, int length) {
    int unit = unitBytes(bytes, length);
    byte[] ascii = unit == 1 ? bytes : ascii(bytes, Math.min(length, WINDOW_BYTES), unit);
    int end = unit == 1 ? length : ascii.length;
    int at = skipSpace(ascii, unit == 1 ? markBytes(bytes, length) : 0, end);
    return isAt(ascii, at, end, "<?xml")
        && at + "<?xml".length() < end
        && isSpace(ascii[at + "<?xml".length()]);
  }

  /** Wide characters after the byte order mark, as bytes; those that are not ASCII become 0xFF. */
  private static byte[] ascii(byte[] bytes, int length, int unit) {
    boolean bigEndian = bytes[0] == 0 || bytes[0] == (byte) 0xFE;
    byte[] ascii = new byte[length / unit - 1];
    for (int i = 0; i < ascii.length; i++) {
      int value = 0;
      for (int b = 0; b < unit; b++) {
        int at = unit * (i + 1) + (bigEndian ? b : unit - 1 - b);
        value = (value << 8) | (bytes[at] & 0xFF);
      }
      ascii[i] = value >= 0 && value < 0x80 ? (byte) value : (byte) 0xFF;
    }
    return ascii;
  }

  private static boolean startsAsHtml(byte[] bytes, int from, int end) {
    int at = skipSpace(bytes, from, end);
    while (isAt(bytes, at, end, "<!--") || isAt(bytes, at, end, "<?xml")) {
      String close = bytes[at + 1] == '!' ? "-->" : "?>";
      while (at < end && !isAt(bytes, at, end, close)) {
        at++;
      }
      if (at == end) {
        return false;
      }
      at = skipSpace(bytes, at + close.length(), end);
    }
    if (isAt(bytes, at, end, "<!doctype")) {
      return isAt(bytes, skipSpace(bytes, at + "<!doctype".length(), end), end, "html");
    }
    if (at == end || bytes[at] != '<') {
      return false;
    }
    int name = at + 1;
    int behind = name;
    while (behind < end && (isLetter(bytes[behind]) || isDigit(bytes[behind]))) {
      behind++;
    }
    return behind < end
        && (isSpace(bytes[behind]) || bytes[behind] == '/' || bytes[behind] == '>')
        && HTML_TAGS.contains(lower(bytes, name, behind));
  }

  /** Whether the bytes at an offset are a lower-case text, in any case. */
  private static boolean isAt(byte[] bytes, int at, int end, String text) {
    if (end - at < text.length()) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      byte b = bytes[at + i];
      if ((isLetter(b) ? b | 0x20 : b) != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isLetter(byte b) {
    return (b | 0x20) >= 'a' && (b | 0x20) <= 'z';
  }

  private static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }

  private static String lower(byte[] bytes, int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.US_ASCII).toLowerCase(Locale.ROOT);
  }

  private static int skipSpace(byte[] bytes, int from, int end) {
    int at = from;
    while (at < end && isSpace(bytes[at])) {
      at++;
    }
    return at;
  }
}
