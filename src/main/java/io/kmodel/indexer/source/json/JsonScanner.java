package io.kmodel.indexer.source.json;

import com.google.common.base.Utf8;
import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.source.record.EightBytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads the strings, whole numbers and words of a JSON object from its bytes, strings eight bytes
 * at a time. A method returns the offset after the value, or {@link #UNSURE} for a value that is
 * not certainly valid; Jackson must read that object. Memory: the strings with escapes. Not
 * thread-safe.
 */
final class JsonScanner {
  static final int UNSURE = -1;

  /** Longer numbers may exceed Jackson's limits. */
  static final int MOST_DIGITS = 18;

  private static final ImmutableList<byte[]> WORDS =
      ImmutableList.of(utf8("true"), utf8("false"), utf8("null"));

  private byte[] object = {};
  private int length;

  /** Strings without their escapes, one after the other. */
  private byte[] unescaped = new byte[1 << 12];

  private int unescapedLength;

  /** All bytes of strings so far, to see whether they are ASCII. */
  private long all;

  /** Whether the last string has escapes. */
  private boolean hasEscapes;

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Starts an object, in the first bytes of an array. */
  void start(byte[] bytes, int count) {
    object = bytes;
    length = count;
    all = 0;
    unescapedLength = 0;
  }

  /** Whether the object is UTF-8; valid once all of its strings were read. */
  boolean isUtf8() {
    return EightBytes.isAscii(all) || Utf8.isWellFormed(object, 0, length);
  }

  byte[] object() {
    return object;
  }

  int length() {
    return length;
  }

  boolean hasEscapes() {
    return hasEscapes;
  }

  byte[] unescaped() {
    return unescaped;
  }

  int unescapedLength() {
    return unescapedLength;
  }

  boolean is(int at, char ascii) {
    return at < length && object[at] == ascii;
  }

  int afterBlanks(int from) {
    int at = from;
    while (at < length
        && (object[at] == ' ' || object[at] == '\n' || object[at] == '\r' || object[at] == '\t')) {
      at++;
    }
    return at;
  }

  /** The offset of the quote that ends a string. */
  int string(int from) {
    hasEscapes = false;
    int at = from;
    while (true) {
      at = stop(at);
      if (at >= length) {
        return UNSURE;
      }
      if (object[at] == '"') {
        return at;
      }
      at = object[at] == '\\' ? afterEscape(at) : UNSURE;
      if (at == UNSURE) {
        return UNSURE;
      }
      hasEscapes = true;
    }
  }

  /** The offset of the next quote, backslash or control character, or else the length. */
  private int stop(int from) {
    int at = from;
    long seen = all;
    for (; at <= length - Long.BYTES; at += Long.BYTES) {
      long eight = EightBytes.at(object, at);
      seen |= eight;
      long stops = EightBytes.stopsOfString(eight);
      if (stops != 0) {
        all = seen;
        return at + EightBytes.first(stops);
      }
    }
    for (; at < length; at++) {
      byte b = object[at];
      seen |= b;
      if (b == '"' || b == '\\' || (b >= 0 && b < ' ')) {
        break;
      }
    }
    all = seen;
    return at;
  }

  /** The offset after an escape. */
  private int afterEscape(int at) {
    if (at + 1 >= length) {
      return UNSURE;
    }
    return switch (object[at + 1]) {
      case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> at + 2;
      case 'u' -> unit(at) == UNSURE ? UNSURE : at + 6;
      default -> UNSURE;
    };
  }

  /** The UTF-16 unit of an escape with four hexadecimal digits. */
  private int unit(int at) {
    if (at + 6 > length) {
      return UNSURE;
    }
    int unit = 0;
    for (int i = at + 2; i < at + 6; i++) {
      int digit = Character.digit(object[i], 16);
      if (digit < 0) {
        return UNSURE;
      }
      unit = unit << 4 | digit;
    }
    return unit;
  }

  /**
   * Appends a string without its escapes to the array of {@link #unescaped}; returns its start
   * there, or {@link #UNSURE} for half of a surrogate pair. It ends at {@link #unescapedLength}.
   */
  int unescape(int from, int to) {
    int room = unescapedLength + to - from;
    if (room > unescaped.length) {
      // Earlier strings keep their offsets.
      unescaped = Arrays.copyOf(unescaped, Math.max(room, 2 * unescaped.length));
    }
    int start = unescapedLength;
    int at = from;
    while (at < to) {
      int escape = at;
      while (escape < to && object[escape] != '\\') {
        escape++;
      }
      System.arraycopy(object, at, unescaped, unescapedLength, escape - at);
      unescapedLength += escape - at;
      at = escape;
      if (at < to) {
        at = putEscaped(at);
        if (at == UNSURE) {
          return UNSURE;
        }
      }
    }
    return start;
  }

  /** Appends an escaped character; returns the offset after it. */
  private int putEscaped(int at) {
    byte kind = object[at + 1];
    if (kind != 'u') {
      unescaped[unescapedLength++] =
          switch (kind) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            default -> kind;
          };
      return at + 2;
    }
    int unit = unit(at);
    if (!Character.isSurrogate((char) unit)) {
      putCharacter(unit);
      return at + 6;
    }
    boolean follows = is(at + 6, '\\') && is(at + 7, 'u');
    int second = follows ? unit(at + 6) : UNSURE;
    if (second == UNSURE || !Character.isSurrogatePair((char) unit, (char) second)) {
      return UNSURE;
    }
    putCharacter(Character.toCodePoint((char) unit, (char) second));
    return at + 12;
  }

  /** Appends UTF-8, which is shorter than the escape. */
  private void putCharacter(int character) {
    if (character < 0x80) {
      put(character);
    } else if (character < 0x800) {
      put(0xC0 | character >> 6);
      put(0x80 | (character & 0x3F));
    } else {
      if (character < 0x10000) {
        put(0xE0 | character >> 12);
      } else {
        put(0xF0 | character >> 18);
        put(0x80 | (character >> 12 & 0x3F));
      }
      put(0x80 | (character >> 6 & 0x3F));
      put(0x80 | (character & 0x3F));
    }
  }

  private void put(int b) {
    unescaped[unescapedLength++] = (byte) b;
  }

  /** The offset after the decimal digits from an offset on, of which there may be none. */
  int digits(int from) {
    int at = from;
    while (at < length && object[at] >= '0' && object[at] <= '9') {
      at++;
    }
    return at;
  }

  /** The offset after a whole number. */
  int wholeNumber(int from) {
    int first = is(from, '-') ? from + 1 : from;
    int at = digits(first);
    boolean isPlain =
        at > first && at - first <= MOST_DIGITS && (at == first + 1 || object[first] != '0');
    return isPlain ? at : UNSURE;
  }

  /** The offset after true, false or null. */
  int word(int from) {
    for (byte[] word : WORDS) {
      int end = from + word.length;
      if (end <= length && Arrays.equals(word, 0, word.length, object, from, end)) {
        return end;
      }
    }
    return UNSURE;
  }
}
