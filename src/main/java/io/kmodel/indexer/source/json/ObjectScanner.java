package io.kmodel.indexer.source.json;

import com.google.common.base.Utf8;
import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.source.ContentType;
import io.kmodel.indexer.source.Docno;
import io.kmodel.indexer.source.JsonPart;
import io.kmodel.indexer.source.lines.TextRecord;
import io.kmodel.indexer.source.record.EightBytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the usual members of a JSON object from its bytes, eight at a time, and copies a text only
 * if it has escapes. It knows objects whose members are strings, whole numbers, true, false and
 * null, in valid UTF-8 and with all that the record needs. Everything else it leaves to Jackson, so
 * every error is Jackson's.
 *
 * <p>Memory: the texts with escapes. Not thread-safe.
 */
final class ObjectScanner {
  private static final int UNSURE = -1;

  /** Longer numbers may exceed Jackson's limits. */
  private static final int MOST_DIGITS = 18;

  private static final ImmutableList<byte[]> WORDS =
      ImmutableList.of(utf8("true"), utf8("false"), utf8("null"));

  /** A part of the document: some bytes, once it is present. */
  private static final class Value {
    boolean isPresent;

    /** Rank of the name whose value was taken; the lowest one counts. */
    int rank;

    byte[] bytes = {};
    int from;
    int to;

    boolean isEmpty() {
      return from == to;
    }

    String string() {
      return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }
  }

  private final Docno docno;
  private final ImmutableList<UsualMembers.Name> names = UsualMembers.names();
  private final Map<JsonPart, Value> values = new EnumMap<>(JsonPart.class);
  private final Value id = value(JsonPart.ID);
  private final Value uri = value(JsonPart.URI);
  private final Value title = value(JsonPart.TITLE);
  private final Value headings = value(JsonPart.HEADINGS);
  private final Value text = value(JsonPart.TEXT);

  private byte[] object = {};
  private int length;

  /** Texts without their escapes, one after the other. */
  private byte[] unescaped = new byte[1 << 12];

  private int unescapedLength;

  /** All bytes of strings so far, to see whether they are ASCII. */
  private long all;

  /** Whether the last string has escapes. */
  private boolean hasEscapes;

  ObjectScanner(Docno docno) {
    this.docno = docno;
  }

  private Value value(JsonPart part) {
    return values.computeIfAbsent(part, key -> new Value());
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** The record of an object, valid until the next call; null if Jackson must read it. */
  @Nullable TextRecord read(byte[] bytes, int count) {
    object = bytes;
    length = count;
    all = 0;
    unescapedLength = 0;
    for (Value value : values.values()) {
      value.isPresent = false;
      value.rank = Integer.MAX_VALUE;
      value.from = 0;
      value.to = 0;
    }
    boolean isSure = members() && (EightBytes.isAscii(all) || Utf8.isWellFormed(bytes, 0, count));
    boolean needsId = docno != Docno.PATH && (docno != Docno.URI || uri.isEmpty());
    if (!isSure || !text.isPresent || (needsId && id.isEmpty())) {
      return null;
    }
    return new TextRecord(
        ContentType.PLAIN_TEXT,
        id.string(),
        uri.string(),
        title.string(),
        headings.string(),
        true,
        text.bytes,
        text.from,
        text.to);
  }

  /** Reads all members; returns whether that is the whole object, and nothing in it is unusual. */
  private boolean members() {
    int at = afterBlanks(0);
    if (!is(at, '{')) {
      return false;
    }
    do {
      at = member(afterBlanks(at + 1));
      at = at == UNSURE ? length : afterBlanks(at);
    } while (is(at, ','));
    return is(at, '}') && afterBlanks(at + 1) == length;
  }

  /** Reads a name and its value; returns the offset after it. */
  private int member(int at) {
    int nameEnd = is(at, '"') ? string(at + 1) : UNSURE;
    if (nameEnd == UNSURE || hasEscapes) {
      return UNSURE;
    }
    UsualMembers.Name name = name(at + 1, nameEnd);
    int colon = afterBlanks(nameEnd + 1);
    int start = afterBlanks(colon + 1);
    if (!is(colon, ':') || start == length) {
      return UNSURE;
    }
    if (object[start] == '"') {
      int end = string(start + 1);
      boolean taken = end != UNSURE && (name == null || take(name, start + 1, end, hasEscapes));
      return taken ? end + 1 : UNSURE;
    }
    int end = wholeNumber(start);
    if (end == UNSURE) {
      return name == null ? word(start) : UNSURE;
    }
    return name == null || take(name, start, end, false) ? end : UNSURE;
  }

  private UsualMembers.@Nullable Name name(int from, int to) {
    for (UsualMembers.Name name : names) {
      if (name.is(object, from, to)) {
        return name;
      }
    }
    return null;
  }

  /** Takes a value as {@link UsualMembers} does; returns whether it is certain. */
  private boolean take(UsualMembers.Name name, int from, int to, boolean escapes) {
    Value value = value(name.part());
    if (from == to) {
      value.isPresent = true;
    } else if (name.rank() <= value.rank) {
      value.isPresent = true;
      value.rank = name.rank();
      value.bytes = object;
      value.from = from;
      value.to = to;
      return !escapes || unescape(value);
    }
    return true;
  }

  private boolean is(int at, char ascii) {
    return at < length && object[at] == ascii;
  }

  private int afterBlanks(int from) {
    int at = from;
    while (at < length
        && (object[at] == ' ' || object[at] == '\n' || object[at] == '\r' || object[at] == '\t')) {
      at++;
    }
    return at;
  }

  /** The offset of the quote that ends a string. */
  private int string(int from) {
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

  /** Replaces a value by one without escapes; returns false for half of a surrogate pair. */
  private boolean unescape(Value value) {
    int room = unescapedLength + value.to - value.from;
    if (room > unescaped.length) {
      // Earlier values keep the old array.
      unescaped = new byte[Math.max(room, 2 * unescaped.length)];
      unescapedLength = 0;
    }
    int start = unescapedLength;
    int at = value.from;
    while (at < value.to) {
      int escape = at;
      while (escape < value.to && object[escape] != '\\') {
        escape++;
      }
      System.arraycopy(object, at, unescaped, unescapedLength, escape - at);
      unescapedLength += escape - at;
      at = escape;
      if (at < value.to) {
        at = putEscaped(at);
        if (at == UNSURE) {
          return false;
        }
      }
    }
    value.bytes = unescaped;
    value.from = start;
    value.to = unescapedLength;
    return true;
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

  /** The offset after a whole number. */
  private int wholeNumber(int from) {
    int first = is(from, '-') ? from + 1 : from;
    int at = first;
    while (at < length && object[at] >= '0' && object[at] <= '9') {
      at++;
    }
    boolean isPlain =
        at > first && at - first <= MOST_DIGITS && (at == first + 1 || object[first] != '0');
    return isPlain ? at : UNSURE;
  }

  /** The offset after true, false or null. */
  private int word(int from) {
    for (byte[] word : WORDS) {
      int end = from + word.length;
      if (end <= length && Arrays.equals(word, 0, word.length, object, from, end)) {
        return end;
      }
    }
    return UNSURE;
  }
}
