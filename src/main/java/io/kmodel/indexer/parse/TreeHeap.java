package io.kmodel.indexer.parse;

import com.google.common.collect.ImmutableSet;
import java.util.Locale;

/**
 * How much heap jsoup's tree of a page takes at most, in bytes, found before the tree is made. Most
 * of it grows with the page. But up to {@value #REOPENED} formatting elements that are open where
 * their block ends are made again in the next one, with all of their attributes, and an end tag
 * that cuts through blocks makes up to four elements in each of {@value #ROUNDS}: a page of a few
 * bytes a block can have a tree of thousands of bytes for each of them.
 *
 * <p>Elements are made again where something closes what they stand in, and that has a start tag
 * which closes one such thing: so at most once for each start tag. What stands in comments, scripts
 * and attributes is taken for tags, too: never too little. Time: linear, for attributes are looked
 * through in no more characters than {@value #LOOKS} times the page's; where that is not enough, as
 * many are assumed as jsoup keeps.
 */
final class TreeHeap {
  /** Per byte of a page whose elements are those of its tags, with the text. */
  static final int PER_BYTE = 64;

  /** Of an element without attributes, measured with compressed pointers. */
  static final int PER_ELEMENT = 160;

  /** Of an attribute that an element has from another one: its name and value are shared. */
  static final int PER_ATTRIBUTE = 8;

  private static final int REOPENED = 12;
  private static final int ROUNDS = 8;

  /** Elements without attributes that an end tag makes in each round. */
  private static final int REPLACED = 3;

  /** Jsoup drops those of an element that are more. */
  private static final int MOST_ATTRIBUTES = 512;

  private static final int LOOKS = 4;

  private static final ImmutableSet<String> FORMATTING =
      ImmutableSet.of(
          "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong",
          "tt", "u");

  private static final int LONGEST_NAME = "strong".length();

  private final String html;
  private long looksLeft;
  private long starts;
  private long formattingStarts;

  /** End tags of formatting elements, and start tags that act as such. */
  private long formattingEnds;

  private int mostAttributes;

  /** Looks through a page. */
  TreeHeap(String html) {
    this.html = html;
    looksLeft = (long) LOOKS * html.length();
    for (int at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) {
      if (isLetter(at + 1)) {
        start(at + 1);
      } else if (is('/', at + 1) && FORMATTING.contains(name(at + 2))) {
        formattingEnds++;
      }
    }
  }

  /** What looks like a start tag, which is at least as many as there are. */
  long startTags() {
    return starts;
  }

  /** Bytes that the elements may take beyond what grows with the page. */
  long bytesOfCopies() {
    long copy = PER_ELEMENT + (long) PER_ATTRIBUTE * mostAttributes;
    return starts * Math.min(REOPENED, formattingStarts) * copy
        + (formattingStarts == 0 ? 0 : formattingEnds)
            * ROUNDS
            * (copy + (long) REPLACED * PER_ELEMENT);
  }

  private void start(int at) {
    starts++;
    String name = name(at);
    if (FORMATTING.contains(name)) {
      formattingStarts++;
      // A link, and a nobr, ends the one that is open.
      formattingEnds += name.equals("a") || name.equals("nobr") ? 1 : 0;
      int from = at + name.length();
      int attributes = looksLeft > 0 ? attributes(from) : MOST_ATTRIBUTES;
      mostAttributes = Math.max(mostAttributes, attributes);
    }
  }

  /** In small letters; empty if it is too long for a formatting element. */
  private String name(int from) {
    int end = from;
    while (end < html.length() && end - from <= LONGEST_NAME && !isEndOfName(html.charAt(end))) {
      end++;
    }
    return end - from > LONGEST_NAME ? "" : html.substring(from, end).toLowerCase(Locale.ROOT);
  }

  /** How many a tag has, equal ones included, or the most that count. */
  private int attributes(int from) {
    int count = 0;
    int at = from;
    while (count < MOST_ATTRIBUTES && looksLeft > 0) {
      int begun = at;
      while (at < html.length() && (isSpace(html.charAt(at)) || html.charAt(at) == '/')) {
        at++;
      }
      if (at >= html.length() || html.charAt(at) == '>') {
        looksLeft -= at - begun + 1;
        return count;
      }
      count++;
      at = endOfAttribute(at);
      looksLeft -= at - begun;
    }
    return MOST_ATTRIBUTES;
  }

  private int endOfAttribute(int from) {
    int at = from + 1; // an equals sign begins a name, too
    while (at < html.length() && !isEndOfName(html.charAt(at)) && html.charAt(at) != '=') {
      at++;
    }
    int equals = skipSpace(at);
    if (!is('=', equals)) {
      return at;
    }
    at = skipSpace(equals + 1);
    if (is('"', at) || is('\'', at)) {
      int end = html.indexOf(html.charAt(at), at + 1);
      return end < 0 ? html.length() : end + 1;
    }
    while (at < html.length() && !isSpace(html.charAt(at)) && html.charAt(at) != '>') {
      at++;
    }
    return at;
  }

  private int skipSpace(int from) {
    int at = from;
    while (at < html.length() && isSpace(html.charAt(at))) {
      at++;
    }
    return at;
  }

  private boolean is(char c, int at) {
    return at < html.length() && html.charAt(at) == c;
  }

  private boolean isLetter(int at) {
    // Beyond ASCII, too: it is for jsoup to say what a letter is.
    return at < html.length() && Character.isLetter(html.charAt(at));
  }

  private static boolean isEndOfName(char c) {
    return isSpace(c) || c == '/' || c == '>';
  }

  private static boolean isSpace(char c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\f' || c == '\r';
  }
}
