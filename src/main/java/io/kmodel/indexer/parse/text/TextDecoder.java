package io.kmodel.indexer.parse.text;

import io.kmodel.indexer.source.record.WellFormed;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Decodes bytes into characters. A byte order mark determines the charset and is removed. Otherwise
 * the charset is the one that the server declared, else, for HTML only, the one that the page
 * declares (see {@link HtmlCharset}), else UTF-8. Bytes that are invalid in the charset become
 * U+FFFD, and so does an unpaired surrogate, which the JDK's UTF-32 accepts. Decoding never fails.
 */
public final class TextDecoder {
  private static final Charset UTF_32LE = Charset.forName("UTF-32LE");
  private static final Charset UTF_32BE = Charset.forName("UTF-32BE");

  /** The replacement for bytes that cannot be decoded. */
  static final char REPLACEMENT = '\uFFFD';

  private static final int SCRATCH_CHARS = 1 << 12;

  /**
   * The encoding of a document.
   *
   * @param from the offset of the first byte after the byte order mark
   */
  public record Encoding(Charset charset, int from) {}

  private static final Encoding PLAIN_UTF_8 = new Encoding(StandardCharsets.UTF_8, 0);
  private static final Encoding MARKED_UTF_8 = new Encoding(StandardCharsets.UTF_8, 3);

  private TextDecoder() {}

  static String plainText(byte[] bytes, int length) {
    return decode(bytes, length, encoding(bytes, length, false));
  }

  static String html(byte[] bytes, int length) {
    return decode(bytes, length, encoding(bytes, length, true));
  }

  public static String decode(byte[] bytes, int length, Encoding encoding) {
    return WellFormed.text(
        new String(bytes, encoding.from, length - encoding.from, encoding.charset));
  }

  /**
   * Returns the first byte that is invalid in the charset, or null. Time: almost none for most
   * documents, since the decoded text shows it; otherwise the document is decoded again up to that
   * byte.
   *
   * @param text the decoded document
   */
  public static @Nullable Undecodable undecodable(
      byte[] bytes, int length, Encoding encoding, String text) {
    if (text.indexOf(REPLACEMENT) < 0) {
      return null;
    }
    ByteBuffer in = ByteBuffer.wrap(bytes, encoding.from, length - encoding.from);
    CharBuffer out = CharBuffer.allocate(SCRATCH_CHARS);
    CharsetDecoder decoder =
        encoding
            .charset
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    CoderResult result = CoderResult.OVERFLOW;
    while (result.isOverflow()) {
      result = decoder.decode(in, out.clear(), true);
    }
    int end = result.isError() ? in.position() : length;
    int at = Math.min(end, lostSurrogate(bytes, end, encoding));
    if (at < length) {
      return new Undecodable(encoding.charset, at, bytes[at]);
    }
    // Some decoders of the JDK produce U+FFFD themselves, for charsets that do not have it.
    return hasReplacement(encoding.charset)
        ? null
        : new Undecodable(encoding.charset, -1, (byte) 0);
  }

  private static boolean hasReplacement(Charset charset) {
    return charset.canEncode() && charset.newEncoder().canEncode(REPLACEMENT);
  }

  /** Returns the offset of the first surrogate that the JDK's UTF-32 accepts, or the end. */
  private static int lostSurrogate(byte[] bytes, int end, Encoding encoding) {
    boolean little = encoding.charset.equals(UTF_32LE);
    if (!little && !encoding.charset.equals(UTF_32BE)) {
      return end;
    }
    for (int at = encoding.from; at + 3 < end; at += 4) {
      int high = bytes[little ? at + 1 : at + 2] & 0xFF;
      if (high >= 0xD8 && high < 0xE0 && bytes[little ? at + 2 : at + 1] == 0) {
        return at;
      }
    }
    return end;
  }

  static Encoding encoding(byte[] bytes, int length, boolean html) {
    return encoding(bytes, length, html, "");
  }

  /**
   * Returns the encoding of a document.
   *
   * @param declared the name of a charset from outside of the document; may be empty
   */
  public static Encoding encoding(byte[] bytes, int length, boolean html, String declared) {
    if (startsWith(bytes, length, 0xEF, 0xBB, 0xBF)) {
      return MARKED_UTF_8;
    }
    // Checked before UTF-16, whose mark this one starts with.
    if (startsWith(bytes, length, 0xFF, 0xFE, 0, 0)) {
      return new Encoding(UTF_32LE, 4);
    }
    if (startsWith(bytes, length, 0, 0, 0xFE, 0xFF)) {
      return new Encoding(UTF_32BE, 4);
    }
    if (startsWith(bytes, length, 0xFF, 0xFE)) {
      return new Encoding(StandardCharsets.UTF_16LE, 2);
    }
    if (startsWith(bytes, length, 0xFE, 0xFF)) {
      return new Encoding(StandardCharsets.UTF_16BE, 2);
    }
    Charset charset = declared.isEmpty() ? null : HtmlCharset.declared(declared);
    if (charset == null) {
      charset = html ? HtmlCharset.of(bytes, length) : StandardCharsets.UTF_8;
    }
    return charset.equals(StandardCharsets.UTF_8) ? PLAIN_UTF_8 : new Encoding(charset, 0);
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
