package io.kmodel.indexer.source.list;

import com.google.common.base.Utf8;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;

/**
 * File names as bytes of the file system instead of strings, which cannot hold all names: a name
 * need not be valid in the platform's encoding, and that encoding need not be UTF-8. Names that a
 * string cannot hold are passed through file URIs, whose escapes are bytes.
 */
public final class PathBytes {
  private static final boolean PLATFORM_IS_UTF_8 =
      "UTF-8".equalsIgnoreCase(System.getProperty("sun.jnu.encoding", "UTF-8"));

  private static final HexFormat HEX = HexFormat.of().withUpperCase();
  private static final char REPLACEMENT = '\uFFFD';
  private static final String URI_SAFE = "-._~/";

  private PathBytes() {}

  /** The bytes of a path's last name. */
  public static byte[] nameOf(Path path) {
    Path last = path.getFileName();
    if (last == null) {
      throw new IllegalArgumentException(path + " has no name");
    }
    String name = last.toString();
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    // ASCII names have as many bytes as characters. (An unpaired surrogate would also take one
    // byte, but a decoded name has none.) Nearly all names are ASCII and need no further check.
    if (bytes.length == name.length() || isExact(name)) {
      return bytes;
    }
    String raw = path.toUri().getRawPath();
    int end = raw.endsWith("/") ? raw.length() - 1 : raw.length();
    return unescape(raw.substring(raw.lastIndexOf('/', end - 1) + 1, end));
  }

  /** The file at {@code relative}, names separated by slashes, below a directory. */
  public static Path resolve(Path directory, byte[] relative, int length) {
    String text = new String(relative, 0, length, StandardCharsets.UTF_8);
    if (isExact(text)) {
      return directory.resolve(text);
    }
    String base = directory.toUri().toString();
    return Path.of(URI.create((base.endsWith("/") ? base : base + "/") + escape(relative, length)));
  }

  /**
   * A relative path in readable form, unique for each path. A path that is not UTF-8 begins with
   * {@code ./}, as no other path here does. It has {@code %FF} for an invalid byte and {@code %25}
   * for a percent sign.
   */
  public static String text(byte[] bytes, int length) {
    String text = new String(bytes, 0, length, StandardCharsets.UTF_8);
    return mayHaveLost(text) && !Utf8.isWellFormed(bytes, 0, length)
        ? escaped(bytes, length)
        : text;
  }

  /** The path of a file, for messages. */
  static String place(Path root, byte[] relative, int length) {
    return place(root, text(relative, length));
  }

  /** The same for the {@link #text} of a relative path. */
  public static String place(Path root, String text) {
    String start = root.toString();
    return start.endsWith("/") ? start + text : start + "/" + text;
  }

  /** Whether decoding may have lost bytes of the name. */
  public static boolean mayHaveLost(String name) {
    return name.indexOf(REPLACEMENT) >= 0;
  }

  private static String escaped(byte[] bytes, int length) {
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    ByteBuffer in = ByteBuffer.wrap(bytes, 0, length);
    CharBuffer out = CharBuffer.allocate(length);
    StringBuilder path = new StringBuilder("./");
    CoderResult result;
    do {
      result = decoder.decode(in, out, true);
      path.append(out.flip().toString().replace("%", "%25"));
      out.clear();
      for (int i = 0; result.isMalformed() && i < result.length(); i++) {
        path.append('%').append(HEX.toHexDigits(in.get()));
      }
    } while (result.isMalformed());
    return path.toString();
  }

  /** Whether a name read from the platform, or passed to it, stands for its UTF-8 bytes. */
  private static boolean isExact(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c >= 0x80 && (!PLATFORM_IS_UTF_8 || c == REPLACEMENT)) {
        return false;
      }
    }
    return true;
  }

  private static String escape(byte[] bytes, int length) {
    StringBuilder escaped = new StringBuilder(3 * length);
    for (int i = 0; i < length; i++) {
      int b = bytes[i] & 0xFF;
      if (b < 0x80 && (Character.isLetterOrDigit(b) || URI_SAFE.indexOf(b) >= 0)) {
        escaped.append((char) b);
      } else {
        escaped.append('%').append(Character.forDigit(b >>> 4, 16));
        escaped.append(Character.forDigit(b & 15, 16));
      }
    }
    return escaped.toString();
  }

  private static byte[] unescape(String escaped) {
    Charset charset = StandardCharsets.UTF_8;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(escaped.length());
    for (int i = 0; i < escaped.length(); i++) {
      char c = escaped.charAt(i);
      if (c == '%') {
        bytes.write(Integer.parseInt(escaped, i + 1, i + 3, 16));
        i += 2;
      } else {
        bytes.writeBytes(String.valueOf(c).getBytes(charset));
      }
    }
    return bytes.toByteArray();
  }
}
