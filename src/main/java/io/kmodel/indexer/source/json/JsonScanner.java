package io.kmodel.indexer.source.json;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.source.JsonCounts.Unsure;
import io.kmodel.indexer.source.record.EightBytes;
import io.kmodel.indexer.source.record.WellFormed;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads the values of a JSON object from its bytes, strings eight bytes at a time. In one pass over
 * a string it finds the end, undoes escapes and checks UTF-8. A method returns the offset after the
 * value, or {@link #UNSURE} for a value that is not certainly valid; Jackson must read that object.
 * Memory: that of {@link UnescapedStrings}. Not thread-safe.
 */
final class JsonScanner {
  static final int UNSURE = -1;

  /** Jackson refuses numbers of more than 1,000 characters. */
  private static final int MOST_NUMBER_BYTES = 100;

  /** Jackson refuses names of more than 50,000 characters. */
  static final int MOST_NAME_BYTES = 1000;

  /** Jackson refuses more than 1,000 open objects and lists. */
  static final int MOST_OPEN = 64;

  private static final ImmutableList<byte[]> WORDS =
      ImmutableList.of(
          utf8("true"),
          utf8("false"),
          utf8("null"),
          utf8("NaN"),
          utf8("Infinity"),
          utf8("-Infinity"));

  /** The value of a hexadecimal digit by its byte; -1 for other bytes. */
  private static final byte[] HEX = hex();

  private byte[] object = {};
  private int length;

  private final UnescapedStrings unescaped = new UnescapedStrings();

  /** Whether the last string has escapes. */
  private boolean hasEscapes;

  /** Where the last text is: in {@link #unescaped} if it has escapes, else in the object. */
  private int textFrom;

  private int textTo;

  /** The end of the last name. */
  private int nameEnd;

  /** Why the object is left to Jackson. */
  private Unsure why = Unsure.MALFORMED;

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] hex() {
    byte[] hex = new byte[1 << Byte.SIZE];
    for (int b = 0; b < hex.length; b++) {
      hex[b] = (byte) (b < 0x80 ? Character.digit(b, 16) : -1);
    }
    return hex;
  }

  /** Starts an object, in the first bytes of an array. */
  void start(byte[] bytes, int count) {
    object = bytes;
    length = count;
    unescaped.start(count);
    why = Unsure.MALFORMED;
  }

  /** Notes why Jackson must read the object. */
  int unsure(Unsure reason) {
    why = reason;
    return UNSURE;
  }

  /** Why Jackson must read the object, if it must. */
  Unsure why() {
    return why;
  }

  byte[] object() {
    return object;
  }

  int length() {
    return length;
  }

  /** Holds the texts with escapes, as {@link UnescapedStrings#bytes} says. */
  byte[] unescaped() {
    return unescaped.bytes();
  }

  boolean hasEscapes() {
    return hasEscapes;
  }

  int textFrom() {
    return textFrom;
  }

  int textTo() {
    return textTo;
  }

  int nameEnd() {
    return nameEnd;
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

  /**
   * Reads a member's name from its quote on, which ends at {@link #nameEnd}, and the colon; returns
   * the offset of the value.
   */
  int name(int quote) {
    int end = is(quote, '"') ? string(quote + 1) : UNSURE;
    if (end == UNSURE) {
      return UNSURE;
    }
    if (hasEscapes || end - quote > MOST_NAME_BYTES) {
      return unsure(Unsure.NAME);
    }
    nameEnd = end;
    int colon = afterBlanks(end + 1);
    return is(colon, ':') ? afterBlanks(colon + 1) : UNSURE;
  }

  /** Checks a string whose content is not needed; returns the offset of the quote that ends it. */
  private int string(int from) {
    hasEscapes = false;
    int at = stop(from);
    while (at < length && object[at] != '"') {
      if (object[at] == '\\') {
        hasEscapes = true;
        at = afterEscape(at);
      } else {
        at = afterWide(at);
      }
      if (at == UNSURE) {
        return UNSURE;
      }
      at = stop(at);
    }
    return at < length ? at : UNSURE;
  }

  /**
   * Reads a string, which is then from {@link #textFrom} to {@link #textTo}; returns the offset of
   * the quote that ends it.
   */
  int text(int from) {
    hasEscapes = false;
    int at = stop(from);
    while (at < length && object[at] != '"') {
      if (object[at] == '\\') {
        return textWithEscapes(from, at);
      }
      at = afterWide(at);
      if (at == UNSURE) {
        return UNSURE;
      }
      at = stop(at);
    }
    textFrom = from;
    textTo = at;
    return at < length ? at : UNSURE;
  }

  /** The offset of the next quote, backslash, control character or byte that is not ASCII. */
  private int stop(int from) {
    int at = from;
    for (; at <= length - Long.BYTES; at += Long.BYTES) {
      long stops = EightBytes.stopsOfAsciiString(EightBytes.at(object, at));
      if (stops != 0) {
        return at + EightBytes.first(stops);
      }
    }
    while (at < length && !isStop(object[at])) {
      at++;
    }
    return at;
  }

  static boolean isStop(byte b) {
    // Other than ASCII is negative.
    return b < ' ' || b == '"' || b == '\\';
  }

  /** The offset after characters that are not ASCII; unsure if they are not UTF-8. */
  private int afterWide(int at) {
    if (object[at] >= 0) {
      // A control character.
      return UNSURE;
    }
    int end = WellFormed.afterWide(object, at, length);
    return end < 0 ? unsure(Unsure.INVALID_UTF_8) : end;
  }

  /** The offset after an escape. */
  private int afterEscape(int at) {
    if (at + 1 >= length) {
      return UNSURE;
    }
    return switch (object[at + 1]) {
      case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> at + 2;
      case 'u' -> unit(at) < 0 ? UNSURE : at + 6;
      default -> UNSURE;
    };
  }

  /** The UTF-16 unit of an escape with four hexadecimal digits; negative if it has others. */
  private int unit(int at) {
    if (at + 6 > length) {
      return UNSURE;
    }
    return HEX[object[at + 2] & 0xFF] << 12
        | HEX[object[at + 3] & 0xFF] << 8
        | HEX[object[at + 4] & 0xFF] << 4
        | HEX[object[at + 5] & 0xFF];
  }

  /** Copies a string without its escapes, the first of which is known. */
  private int textWithEscapes(int from, int escape) {
    hasEscapes = true;
    textFrom = unescaped.startString(length);
    unescaped.put(object, from, escape);
    int at = escape;
    while (at < length && object[at] != '"') {
      if (object[at] == '\\') {
        at = putEscaped(at);
      } else {
        int wide = at;
        at = afterWide(at);
        unescaped.put(object, wide, at);
      }
      if (at == UNSURE) {
        return UNSURE;
      }
      at = unescaped.putPlain(object, at, length);
    }
    textTo = unescaped.length();
    return at < length ? at : UNSURE;
  }

  /** Appends an escaped character; returns the offset after it. */
  private int putEscaped(int at) {
    if (at + 1 >= length) {
      return UNSURE;
    }
    byte kind = object[at + 1];
    if (kind == 'u') {
      return putUnit(at);
    }
    int plain =
        switch (kind) {
          case '"', '\\', '/' -> kind;
          case 'b' -> '\b';
          case 'f' -> '\f';
          case 'n' -> '\n';
          case 'r' -> '\r';
          case 't' -> '\t';
          default -> UNSURE;
        };
    if (plain == UNSURE) {
      return UNSURE;
    }
    unescaped.putCharacter(plain);
    return at + 2;
  }

  private int putUnit(int at) {
    int unit = unit(at);
    if (unit < 0) {
      return UNSURE;
    }
    if (!Character.isSurrogate((char) unit)) {
      unescaped.putCharacter(unit);
      return at + 6;
    }
    int second = is(at + 6, '\\') && is(at + 7, 'u') ? unit(at + 6) : UNSURE;
    if (second < 0 || !Character.isSurrogatePair((char) unit, (char) second)) {
      return unsure(Unsure.HALF_SURROGATE);
    }
    unescaped.putCharacter(Character.toCodePoint((char) unit, (char) second));
    return at + 12;
  }

  /** The offset after the decimal digits from an offset on, of which there may be none. */
  int digits(int from) {
    int at = from;
    while (at < length && object[at] >= '0' && object[at] <= '9') {
      at++;
    }
    return at;
  }

  /** The offset after a number. */
  int number(int from) {
    int first = is(from, '-') ? from + 1 : from;
    int at = digits(first);
    if (at == first || (at > first + 1 && object[first] == '0')) {
      return UNSURE;
    }
    if (is(at, '.')) {
      int point = at;
      at = digits(point + 1);
      if (at == point + 1) {
        return UNSURE;
      }
    }
    if (is(at, 'e') || is(at, 'E')) {
      int digits = is(at + 1, '-') || is(at + 1, '+') ? at + 2 : at + 1;
      at = digits(digits);
      if (at == digits) {
        return UNSURE;
      }
    }
    return at - from <= MOST_NUMBER_BYTES ? at : unsure(Unsure.NUMBER);
  }

  /** The offset after true, false, null, or a number that is NaN or infinite. */
  int word(int from) {
    for (byte[] word : WORDS) {
      int end = from + word.length;
      if (end <= length && Arrays.equals(word, 0, word.length, object, from, end)) {
        return end;
      }
    }
    return UNSURE;
  }

  /** The offset after a number or a word. */
  private int scalar(int from) {
    int end = number(from);
    return end == UNSURE ? word(from) : end;
  }

  /** Checks any value; returns the offset after it. */
  int skip(int at, int open) {
    if (at >= length) {
      return UNSURE;
    }
    byte b = object[at];
    if (b == '"') {
      int end = string(at + 1);
      return end == UNSURE ? UNSURE : end + 1;
    }
    if (b == '{' || b == '[') {
      return skipInside(at, open + 1);
    }
    return b >= 'A' ? word(at) : scalar(at);
  }

  /** Checks an object or a list. */
  private int skipInside(int from, int open) {
    if (open > MOST_OPEN) {
      return unsure(Unsure.DEPTH);
    }
    boolean isObject = object[from] == '{';
    char close = isObject ? '}' : ']';
    int at = afterBlanks(from + 1);
    if (is(at, close)) {
      return at + 1;
    }
    while (true) {
      at = isObject ? name(at) : at;
      at = at == UNSURE ? UNSURE : skip(at, open);
      if (at == UNSURE) {
        return UNSURE;
      }
      at = afterBlanks(at);
      if (!is(at, ',')) {
        return is(at, close) ? at + 1 : UNSURE;
      }
      at = afterBlanks(at + 1);
    }
  }
}
