package io.kmodel.indexer.parse.text;

import io.kmodel.indexer.parse.text.TextDecoder.Encoding;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A document's characters as valid UTF-8, the same that {@link TextDecoder} gives as a String.
 * Valid UTF-8, and ASCII in a charset that includes it, is used in place. Charsets with one byte
 * per character are converted with a table. Anything else, and UTF-8 with invalid bytes, is
 * converted through a String. Memory: a reused buffer of up to three times the document. Time:
 * linear, eight bytes at a time while they are ASCII. Not thread-safe.
 */
public final class Utf8Text {
  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final long HIGH_BITS = 0x8080808080808080L;

  /** The table's entry for bytes that are not a character of its charset. */
  private static final byte[] NO_CHARACTER =
      String.valueOf(TextDecoder.REPLACEMENT).getBytes(StandardCharsets.UTF_8);

  private final Map<Charset, byte[][]> tables = new HashMap<>();
  private byte[] buffer = {};
  private byte[] bytes = {};
  private int from;
  private int end;
  private int nonCharacters;
  private @Nullable Undecodable undecodable;

  /** Sets the document, which invalidates the results for the previous one. */
  public void set(byte[] document, int length, boolean html) {
    set(document, length, html, "");
  }

  /**
   * Sets the document.
   *
   * @param declared the name of a charset from outside of the document; may be empty
   */
  public void set(byte[] document, int length, boolean html, String declared) {
    Encoding encoding = TextDecoder.encoding(document, length, html, declared);
    nonCharacters = 0;
    undecodable = null;
    bytes = document;
    from = encoding.from();
    end = length;
    if (encoding.charset().equals(StandardCharsets.UTF_8)) {
      int invalid = invalid(bytes, from, end);
      if (invalid < end) {
        decode(document, length, encoding);
        undecodable = new Undecodable(StandardCharsets.UTF_8, invalid, document[invalid]);
      }
    } else {
      byte[][] table = tables.computeIfAbsent(encoding.charset(), Utf8Text::table);
      if (table.length == 0) {
        undecodable =
            TextDecoder.undecodable(document, length, encoding, decode(document, length, encoding));
      } else if (ascii(document, from, end) < end) {
        encode(encoding.charset(), table);
      }
    }
  }

  /** Whether a plain text would be used without a copy. */
  public boolean isUsedInPlace(byte[] document, int length, String declared) {
    Encoding encoding = TextDecoder.encoding(document, length, false, declared);
    return encoding.charset().equals(StandardCharsets.UTF_8)
        && invalid(document, encoding.from(), length) == length;
  }

  /**
   * Returns the array with the text from {@link #from} to {@link #end}; the document itself if
   * possible.
   */
  public byte[] bytes() {
    return bytes;
  }

  public int from() {
    return from;
  }

  public int end() {
    return end;
  }

  /** Returns the number of U+FFFF in the text. */
  public int nonCharacters() {
    return nonCharacters;
  }

  /** Returns the first byte of the document that is invalid in its charset, or null. */
  @Nullable
  public Undecodable undecodable() {
    return undecodable;
  }

  /** Decodes a document, takes the result as the text, and returns it. */
  private String decode(byte[] document, int length, Encoding encoding) {
    String text = TextDecoder.decode(document, length, encoding);
    bytes = text.getBytes(StandardCharsets.UTF_8);
    from = 0;
    end = bytes.length;
    nonCharacters = 0;
    int invalid = invalid(bytes, from, end);
    assert invalid == end;
    return text;
  }

  private void encode(Charset charset, byte[][] table) {
    long most = 3L * (end - from);
    if (buffer.length < most) {
      buffer = new byte[Math.toIntExact(most)];
    }
    int to = 0;
    for (int i = from; i < end; i++) {
      byte b = bytes[i];
      if (b >= 0) {
        buffer[to++] = b;
      } else {
        byte[] encoded = table[b & 0x7F];
        if (encoded == NO_CHARACTER && undecodable == null) {
          undecodable = new Undecodable(charset, i, b);
        }
        for (byte part : encoded) {
          buffer[to++] = part;
        }
      }
    }
    bytes = buffer;
    from = 0;
    end = to;
  }

  /**
   * Returns the characters of 80 to FF; empty if the charset is not ASCII with one byte per
   * character.
   */
  private static byte[][] table(Charset charset) {
    if (!charset.name().matches("windows-125\\d|ISO-8859-\\d+|KOI8-[RU]|IBM866|x-windows-874")) {
      return new byte[0][];
    }
    byte[][] table = new byte[128][];
    for (int i = 0; i < 128; i++) {
      String ascii = new String(new byte[] {(byte) i}, charset);
      String high = new String(new byte[] {(byte) (i | 0x80)}, charset);
      if (ascii.length() != 1 || ascii.charAt(0) != i || high.length() != 1) {
        return new byte[0][];
      }
      table[i] =
          high.charAt(0) == TextDecoder.REPLACEMENT
              ? NO_CHARACTER
              : high.getBytes(StandardCharsets.UTF_8);
    }
    return table;
  }

  /** Returns the offset of the first byte that is not ASCII. */
  private static int ascii(byte[] bytes, int from, int end) {
    int at = from;
    while (at <= end - Long.BYTES && ((long) WORD.get(bytes, at) & HIGH_BITS) == 0) {
      at += Long.BYTES;
    }
    while (at < end && bytes[at] >= 0) {
      at++;
    }
    return at;
  }

  /** Returns the offset of the first byte that begins no valid sequence; the end if all do. */
  private int invalid(byte[] bytes, int from, int end) {
    int at = from;
    while (true) {
      at = at < end && bytes[at] < 0 ? at : ascii(bytes, at, end);
      if (at == end) {
        return end;
      }
      int length = sequence(bytes, at, end);
      if (length == 0) {
        return at;
      }
      at += length;
    }
  }

  /** Returns the length of the sequence at a lead byte; 0 if it is invalid. */
  private int sequence(byte[] bytes, int at, int end) {
    int lead = bytes[at] & 0xFF;
    int length = lead < 0xC2 || lead > 0xF4 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (length == 0 || at + length > end) {
      return 0;
    }
    int codePoint = lead & 0xFF >> (length + 1);
    for (int i = 1; i < length; i++) {
      if ((bytes[at + i] & 0xC0) != 0x80) {
        return 0;
      }
      codePoint = codePoint << 6 | (bytes[at + i] & 0x3F);
    }
    nonCharacters += codePoint == 0xFFFF ? 1 : 0;
    boolean overlong = (length == 3 && codePoint < 0x800) || (length == 4 && codePoint < 0x10000);
    boolean surrogate = codePoint >= 0xD800 && codePoint < 0xE000;
    return overlong || surrogate || codePoint > 0x10FFFF ? 0 : length;
  }
}
