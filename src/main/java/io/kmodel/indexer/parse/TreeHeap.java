package io.kmodel.indexer.parse;

import com.google.common.collect.ImmutableSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How much heap jsoup's tree of a page takes at most, in bytes, found before the tree is made. Most
 * of it grows with the page. But up to {@value #REOPENED} formatting elements that are open where
 * their block ends are made again in the next one, with all of their attributes, and an end tag
 * that cuts through blocks makes up to four elements in each of {@value #ROUNDS}: a page of a few
 * bytes a block can have a tree of thousands of bytes for each of them.
 *
 * <p>Elements are made again where something closes what they stand in, and that is said by a tag,
 * or by the one that it stands for: so at most once for each tag. Those that end where they began,
 * with nothing but text and such elements between, as most links do, are never made again, and cut
 * through nothing: they count as little. What stands in comments, scripts and attributes is taken
 * for tags, too, but is no such end. Time: linear, for attributes are looked through in no more
 * characters than {@value #LOOKS} times the page's; where that is not enough, as many are assumed
 * as jsoup keeps.
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

  /** Elements that their own end tags end, and that end no others. */
  private static final ImmutableSet<String> ORDINARY =
      ImmutableSet.of(
          "abbr", "bdi", "bdo", "cite", "del", "dfn", "ins", "kbd", "label", "mark", "q", "samp",
          "span", "sub", "sup", "time", "var");

  /** Those that have no end. */
  private static final ImmutableSet<String> EMPTY = ImmutableSet.of("br", "img", "input", "wbr");

  private static final int LONGEST_NAME = "strong".length();

  /** More nested ones are not taken for such that end where they began. */
  private static final int MOST_OPEN = 32;

  private final String html;
  private long looksLeft;
  private long starts;
  private long tags;

  /** Formatting elements that may be open where something else ends. */
  private long formattingStarts;

  /** End tags of such elements, and start tags that act as such. */
  private long formattingEnds;

  private int mostAttributes;

  /** Formatting and ordinary elements behind which there was nothing but such, and text. */
  private final List<String> open = new ArrayList<>();

  /** Where the tags end that were seen, if there are no more attributes than are looked at. */
  private int tagEnd;

  /** Looks through a page. */
  TreeHeap(String html) {
    this.html = html;
    looksLeft = (long) LOOKS * html.length();
    for (int at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) {
      boolean inAttribute = at < tagEnd; // or so it seems
      if (inAttribute || is('!', at + 1) || is('?', at + 1)) {
        leaveOpen();
      }
      if (isLetter(at + 1)) {
        start(at + 1);
      } else if (is('/', at + 1)) {
        end(at + 2);
      }
      if (inAttribute) {
        leaveOpen();
      }
    }
    leaveOpen();
  }

  /** What looks like a start tag, which is at least as many as there are. */
  long startTags() {
    return starts;
  }

  /** Bytes that the elements may take beyond what grows with the page. */
  long bytesOfCopies() {
    long copy = PER_ELEMENT + (long) PER_ATTRIBUTE * mostAttributes;
    return tags * Math.min(REOPENED, formattingStarts) * copy
        + (formattingStarts == 0 ? 0 : formattingEnds)
            * ROUNDS
            * (copy + (long) REPLACED * PER_ELEMENT);
  }

  private void start(int at) {
    starts++;
    tags++;
    String name = name(at);
    int attributes = looksLeft > 0 ? attributes(at + name.length()) : MOST_ATTRIBUTES;
    boolean formatting = FORMATTING.contains(name);
    if (!formatting && !ORDINARY.contains(name) && !EMPTY.contains(name)) {
      leaveOpen();
      return;
    }
    if (formatting) {
      mostAttributes = Math.max(mostAttributes, attributes);
      if (name.equals("a") || name.equals("nobr")) {
        endsItself(name);
      }
    }
    if (!EMPTY.contains(name)) {
      open.add(name);
    }
    if (open.size() > MOST_OPEN || attributes == MOST_ATTRIBUTES) {
      leaveOpen();
    }
  }

  /** A link, and a nobr, ends the one that is open, if there may be one. */
  private void endsItself(String name) {
    if (open.contains(name)) {
      leaveOpen();
    }
    if (formattingStarts > 0) {
      formattingEnds++;
    }
  }

  private void end(int at) {
    tags++;
    String name = name(at);
    int behind = at + name.length();
    if (!name.isEmpty()
        && !open.isEmpty()
        && open.getLast().equals(name)
        && is('>', skipSpace(behind))) {
      open.removeLast();
      return;
    }
    leaveOpen();
    if (FORMATTING.contains(name)) {
      formattingEnds++;
    }
  }

  /** What is open now may be so for long. */
  private void leaveOpen() {
    for (String name : open) {
      formattingStarts += FORMATTING.contains(name) ? 1 : 0;
    }
    open.clear();
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
        tagEnd = Math.max(tagEnd, at);
        return count;
      }
      count++;
      at = endOfAttribute(at);
      looksLeft -= at - begun;
    }
    tagEnd = Math.max(tagEnd, at);
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
