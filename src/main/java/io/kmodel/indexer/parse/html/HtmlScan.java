package io.kmodel.indexer.parse.html;

import io.kmodel.indexer.source.record.EightBytes;

/**
 * Finds the ends of the parts of a page without text: tags, comments and scripts, by the tokenizer
 * of the HTML standard (§13.2.5) as jsoup implements it. Each method scans the bytes once and
 * returns an offset, which is {@code end} if the page ends first.
 */
final class HtmlScan {
  /** The bytes that end a name in a tag. */
  private static final boolean[] ENDS_NAME = table("\t\n\f\r />");

  private static final boolean[] SPACE = table("\t\n\f\r ");
  private static final boolean[] ENDS_ATTRIBUTE = table("\t\n\f\r /=>");
  private static final boolean[] ENDS_UNQUOTED = table("\t\n\f\r >");

  /**
   * A fraction of jsoup's buffer of 2,048 characters, half of which is filled ahead when text
   * begins.
   */
  private static final int FAR = 256;

  private static final byte[] SCRIPT = {'s', 'c', 'r', 'i', 'p', 't'};

  private HtmlScan() {}

  static boolean isLetter(byte b) {
    int lower = b | 0x20;
    return lower >= 'a' && lower <= 'z';
  }

  static boolean isSpace(byte b) {
    return SPACE[b & 0xFF];
  }

  /**
   * Returns before which of eight bytes a tag's name probably ends: a space or {@code >}; else 8.
   */
  static int shortName(long eight) {
    return EightBytes.first(
        EightBytes.firstEqual(eight, (byte) '>') | EightBytes.firstEqual(eight, (byte) ' '));
  }

  static int tagName(byte[] page, int from, int end) {
    int at = from;
    while (at < end && !ENDS_NAME[page[at] & 0xFF]) {
      at++;
    }
    return at;
  }

  /**
   * Returns the offset of the {@code >} that ends a tag, or its complement if the tag is
   * self-closing.
   *
   * @param from the offset after the tag's name
   */
  static int tag(byte[] page, int from, int end) {
    int at = from;
    while (at < end) {
      byte b = page[at];
      if (b == '>') {
        return at;
      }
      if (SPACE[b & 0xFF] || b == '/') {
        at++;
        if (b == '/' && at < end && page[at] == '>') {
          return ~at;
        }
        continue;
      }
      // The first character of an attribute's name can be anything.
      at++;
      while (at < end && !ENDS_ATTRIBUTE[page[at] & 0xFF]) {
        at++;
      }
      at = space(page, at, end);
      if (at < end && page[at] == '=') {
        at = value(page, space(page, at + 1, end), end);
      }
    }
    return end;
  }

  /** Returns the offset in a result of {@link #tag}, whether or not the tag is self-closing. */
  static int close(int answer) {
    return answer < 0 ? ~answer : answer;
  }

  private static int value(byte[] page, int from, int end) {
    if (from >= end) {
      return end;
    }
    int at = from;
    byte quote = page[at];
    if (quote == '"' || quote == '\'') {
      return behind(quote, page, at + 1, end);
    }
    while (at < end && !ENDS_UNQUOTED[page[at] & 0xFF]) {
      at++;
    }
    return at;
  }

  static int space(byte[] page, int from, int end) {
    int at = from;
    while (at < end && SPACE[page[at] & 0xFF]) {
      at++;
    }
    return at;
  }

  /** Returns the offset after the next byte of this value. */
  static int behind(byte wanted, byte[] page, int from, int end) {
    return Math.min(find(wanted, page, from, end) + 1, end);
  }

  /** Returns the offset of the next byte of this value, or the end; reads eight bytes at a time. */
  private static int find(byte wanted, byte[] page, int from, int end) {
    int at = from;
    while (at <= end - Long.BYTES) {
      long found = EightBytes.firstEqual(EightBytes.at(page, at), wanted);
      if (found != 0) {
        return at + EightBytes.first(found);
      }
      at += Long.BYTES;
    }
    while (at < end && page[at] != wanted) {
      at++;
    }
    return at;
  }

  /**
   * Returns the offset after a comment.
   *
   * @param from the offset after {@code <!--}
   */
  static int comment(byte[] page, int from, int end) {
    if (from < end && page[from] == '>') {
      return from + 1;
    }
    if (from + 1 < end && page[from] == '-' && page[from + 1] == '>') {
      return from + 2;
    }
    int at = from;
    while (at + 1 < end) {
      if (page[at] != '-') {
        at = find((byte) '-', page, at, end);
      } else if (page[at + 1] != '-') {
        at += 2;
      } else {
        at += 2;
        while (at < end && page[at] == '-') {
          at++;
        }
        if (at < end && page[at] == '!') {
          at++;
        }
        if (at < end && page[at] == '>') {
          return at + 1;
        }
      }
    }
    return end;
  }

  /** Whether an end tag of this name is at an offset; attributes may follow it. */
  static boolean isEndTag(byte[] page, int at, int end, byte[] name) {
    int behind = at + 2 + name.length;
    if (behind >= end || page[at] != '<' || page[at + 1] != '/') {
      return false;
    }
    return matches(page, at + 2, name) && ENDS_NAME[page[behind] & 0xFF];
  }

  /** Whether a lowercase name is at an offset, in any case; there must be as many bytes. */
  static boolean matches(byte[] page, int at, byte[] name) {
    for (int i = 0; i < name.length; i++) {
      byte b = page[at + i];
      if (b != name[i] && !(isLetter(b) && (b | 0x20) == name[i])) {
        return false;
      }
    }
    return true;
  }

  /** Returns the offset of the end tag of this name; nothing before it counts as markup. */
  static int raw(byte[] page, int from, int end, byte[] name) {
    int at = find((byte) '<', page, from, end);
    while (at < end && !isEndTag(page, at, end, name)) {
      at = find((byte) '<', page, at + 1, end);
    }
    return at;
  }

  /**
   * Returns the offset of the end tag of a script. Within {@code <!--} and {@code -->}, a script
   * tag hides the next end tag.
   */
  static int script(byte[] page, int from, int end) {
    int at = from;
    while (at < end) {
      if (page[at] != '<') {
        at = find((byte) '<', page, at, end);
      } else if (isEndTag(page, at, end, SCRIPT)) {
        return at;
      } else if (at + 3 < end
          && page[at + 1] == '!'
          && page[at + 2] == '-'
          && page[at + 3] == '-') {
        // The dashes that open the comment may also close it.
        at = escaped(page, at + 2, end);
      } else {
        at++;
      }
    }
    return end;
  }

  /** Scans from a comment within a script to the script's end tag, or past the comment. */
  private static int escaped(byte[] page, int from, int end) {
    boolean twice = false;
    int dashes = 0;
    for (int at = from; at < end; at++) {
      byte b = page[at];
      if (b == '>' && dashes >= 2) {
        return at + 1;
      }
      dashes = b == '-' ? dashes + 1 : 0;
      if (b == '<' && !twice && isEndTag(page, at, end, SCRIPT)) {
        return at;
      }
      if (b == '<') {
        int name = at + (twice ? 2 : 1);
        boolean named = name + SCRIPT.length < end && matches(page, name, SCRIPT);
        boolean opens = named && ENDS_NAME[page[name + SCRIPT.length] & 0xFF];
        if (opens && (!twice || page[at + 1] == '/')) {
          twice = !twice;
          at = name + SCRIPT.length;
        }
      }
    }
    return end;
  }

  /**
   * Counts U+FFFF in a run of text where jsoup takes it for a character: after others that are not
   * white space, and so near them that jsoup's buffer cannot end in between. Elsewhere jsoup may
   * take it for the end of its input.
   */
  static int nonCharacters(byte[] page, int from, int to) {
    int count = 0;
    int last = Math.min(to, from + FAR) - 2;
    for (int at = space(page, from, to) + 1; at < last && page[at - 1] != '&'; at++) {
      boolean one = page[at] == (byte) 0xEF && page[at + 1] == (byte) 0xBF;
      count += one && page[at + 2] == (byte) 0xBF ? 1 : 0;
    }
    return count;
  }

  /**
   * Does the same for the quoted attribute values of a tag.
   *
   * @param from the offset after the tag's name
   */
  static int nonCharactersInTag(byte[] page, int from, int close) {
    int count = 0;
    int at = from;
    while (at < close) {
      if (SPACE[page[at] & 0xFF] || page[at] == '/') {
        at++;
        continue;
      }
      at++;
      while (at < close && !ENDS_ATTRIBUTE[page[at] & 0xFF]) {
        at++;
      }
      at = space(page, at, close);
      if (at < close && page[at] == '=') {
        int value = space(page, at + 1, close);
        at = value(page, value, close);
        boolean quoted = value < close && (page[value] == '"' || page[value] == '\'');
        count += quoted ? nonCharacters(page, value, at) : 0;
      }
    }
    return count;
  }

  private static boolean[] table(String characters) {
    boolean[] table = new boolean[256];
    for (int i = 0; i < characters.length(); i++) {
      table[characters.charAt(i)] = true;
    }
    return table;
  }
}
