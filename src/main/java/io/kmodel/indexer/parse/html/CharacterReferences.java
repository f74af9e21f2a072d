package io.kmodel.indexer.parse.html;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jsoup.nodes.Entities;

/**
 * Decodes the character references of HTML. The names are jsoup's: each name is looked up in jsoup
 * once, and the answer is kept. Numbers follow the standard's table of windows-1252. Memory: up to
 * {@value #MAX_NAMES} answers of about 50 bytes; further names are looked up each time. Not
 * thread-safe.
 */
final class CharacterReferences {
  /** Not a reference: the ampersand stands for itself. */
  static final int NONE = -1;

  /** The result for surrogates, two of which may form a character, and for very many digits. */
  static final int UNSURE = -2;

  private static final int MAX_NAMES = 1 << 11;
  private static final int SLOTS = 1 << 12;

  /** No name is longer, so later characters cannot matter. */
  private static final int LONGEST = 33;

  private static final int MAX_DIGITS = 900;
  private static final int MAX_CODE_POINT = 0x10FFFF;

  /** The characters of 80 to 9F. */
  private static final char[] WINDOWS_1252 = {
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, //
    0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008D, 0x017D, 0x008F, //
    0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, //
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178
  };

  /** jsoup's answer for a name, with or without a trailing semicolon. */
  private static final class Named {
    final byte[] name;
    final boolean semicolon;
    final int consumed;
    final int codePoint;
    final int second;

    Named(byte[] name, boolean semicolon, int consumed, int... codePoints) {
      this.name = name;
      this.semicolon = semicolon;
      this.consumed = consumed;
      this.codePoint = codePoints[0];
      this.second = codePoints[1];
    }
  }

  private final Named[] known = new Named[SLOTS];
  private final int[] codePoints = new int[2];
  private int names;
  private int next;
  private int second;

  /** Returns the offset after the last reference. */
  int next() {
    return next;
  }

  /** Returns the second character of the last reference; 0 if it has none. */
  int second() {
    return second;
  }

  /**
   * Reads a reference.
   *
   * @param from the offset after the ampersand
   * @return its character, or {@link #NONE} or {@link #UNSURE}
   */
  int read(byte[] page, int from, int end) {
    second = 0;
    next = from;
    if (from < end && page[from] == '#') {
      return number(page, from + 1, end);
    }
    int to = from;
    while (to < end && isLetter(page[to])) {
      to++;
    }
    if (to == from) {
      return NONE;
    }
    while (to < end && isDigit(page[to])) {
      to++;
    }
    return name(page, from, to, to < end && page[to] == ';');
  }

  private int number(byte[] page, int from, int end) {
    int at = from;
    boolean hex = at < end && (page[at] | 0x20) == 'x';
    at += hex ? 1 : 0;
    int first = at;
    int value = 0;
    for (int digit = digit(page, at, end, hex); digit >= 0; digit = digit(page, at, end, hex)) {
      value = Math.min(value * (hex ? 16 : 10) + digit, MAX_CODE_POINT + 1);
      at++;
    }
    if (at == first) {
      return NONE;
    }
    if (at - first > MAX_DIGITS || (value >= 0xD800 && value < 0xE000)) {
      return UNSURE;
    }
    next = at < end && page[at] == ';' ? at + 1 : at;
    if (value >= 0x80 && value < 0x80 + WINDOWS_1252.length) {
      return WINDOWS_1252[value - 0x80];
    }
    return value == 0 || value > MAX_CODE_POINT ? 0xFFFD : value;
  }

  private static int digit(byte[] page, int at, int end, boolean hex) {
    if (at >= end) {
      return -1;
    }
    byte b = page[at];
    if (isDigit(b)) {
      return b - '0';
    }
    int lower = b | 0x20;
    return hex && lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
  }

  private int name(byte[] page, int from, int to, boolean semicolon) {
    boolean long_ = to - from > LONGEST;
    int end = long_ ? from + LONGEST : to;
    boolean closed = semicolon && !long_;
    int hash = closed ? 1 : 0;
    for (int i = from; i < end; i++) {
      hash = (hash + page[i]) * 0x9E3779B1;
    }
    int slot = hash >>> 20;
    for (Named named = known[slot]; named != null; named = known[slot]) {
      if (named.semicolon == closed
          && Arrays.equals(named.name, 0, named.name.length, page, from, end)) {
        return take(named, from);
      }
      slot = slot + 1 & SLOTS - 1;
    }
    Named named = ask(Arrays.copyOfRange(page, from, end), closed);
    if (names < MAX_NAMES) {
      names++;
      known[slot] = named;
    }
    return take(named, from);
  }

  private int take(Named named, int from) {
    next = from + named.consumed;
    second = named.second;
    return named.codePoint;
  }

  private Named ask(byte[] name, boolean semicolon) {
    String text = new String(name, StandardCharsets.US_ASCII);
    String found = text;
    if (!Entities.isBaseNamedEntity(text) && !(semicolon && Entities.isNamedEntity(text))) {
      found = Entities.findPrefix(text);
      if (found.isEmpty()) {
        return new Named(name, semicolon, 0, NONE, 0);
      }
    }
    int count = Entities.codepointsForName(found, codePoints);
    int consumed = found.length() + (semicolon && found.length() == text.length() ? 1 : 0);
    return new Named(name, semicolon, consumed, codePoints[0], count == 2 ? codePoints[1] : 0);
  }

  private static boolean isLetter(byte b) {
    int lower = b | 0x20;
    return lower >= 'a' && lower <= 'z';
  }

  private static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }
}
