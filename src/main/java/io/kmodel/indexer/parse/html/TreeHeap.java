package io.kmodel.indexer.parse.html;

import com.google.common.collect.ImmutableSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Computes the maximum heap of jsoup's tree of a page, in bytes, before the tree is built. Most of
 * it grows with the page. But up to {@value #REOPENED} formatting elements that are open at the end
 * of their block are created again in the next one, with all their attributes. And an end tag that
 * cuts through blocks creates up to four elements in each of {@value #ROUNDS} rounds. So a page
 * with a few bytes per block can have a tree with thousands of bytes for each of them.
 *
 * <p>Elements are created again when something closes their parent, which takes a tag or an implied
 * tag. So this happens at most once per tag. Elements that end where they began, with only text and
 * such elements in them, as most links do, are never created again and cut through nothing, so they
 * count little. Tags in comments, scripts and attributes are counted, too, but never as such an
 * end. Time: linear, because attributes are scanned in at most {@value #LOOKS} times the page's
 * characters; beyond that, the maximum number that jsoup keeps is assumed.
 */
public final class TreeHeap {
  /** Bytes per byte of a page whose elements are those of its tags, with the text. */
  public static final int PER_BYTE = 64;

  /** Bytes of an element without attributes, measured with compressed pointers. */
  static final int PER_ELEMENT = 160;

  /** Bytes of an attribute copied from another element: its name and value are shared. */
  static final int PER_ATTRIBUTE = 8;

  private static final int REOPENED = 12;
  private static final int ROUNDS = 8;

  /** Elements without attributes that an end tag creates in each round. */
  private static final int REPLACED = 3;

  /** jsoup drops the further attributes of an element. */
  private static final int MOST_ATTRIBUTES = 512;

  private static final int LOOKS = 4;

  private static final ImmutableSet<String> FORMATTING =
      ImmutableSet.of(
          "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong",
          "tt", "u");

  /** Elements that only their own end tags end, and that end no others. */
  private static final ImmutableSet<String> ORDINARY =
      ImmutableSet.of(
          "abbr", "bdi", "bdo", "cite", "del", "dfn", "ins", "kbd", "label", "mark", "q", "samp",
          "span", "sub", "sup", "time", "var");

  /** Elements without an end. */
  private static final ImmutableSet<String> EMPTY = ImmutableSet.of("br", "img", "input", "wbr");

  private static final int LONGEST_NAME = "strong".length();

  /** With more nested ones, elements are not taken for such that end where they began. */
  private static final int MOST_OPEN = 32;

  private final String html;
  private long looksLeft;
  private long starts;
  private long tags;

  /** Formatting elements that may be open when another element ends. */
  private long formattingStarts;

  /** End tags of formatting elements, and start tags that act like them. */
  private long formattingEnds;

  private int mostAttributes;

  /** The open formatting and ordinary elements that contain only such elements and text so far. */
  private final List<String> open = new ArrayList<>();

  /** The end of the tags seen so far, if their attributes were scanned completely. */
  private int tagEnd;

  /** Scans a page. */
  public TreeHeap(String html) {
    this.html = html;
    looksLeft = (long) LOOKS * html.length();
    for (int at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) {
      boolean inAttribute = at < tagEnd; // apparently
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

  /** Returns the number of apparent start tags, at least that of the actual ones. */
  public long startTags() {
    return starts;
  }

  /** Returns the bytes that elements may take beyond what grows with the page. */
  public long bytesOfCopies() {
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

  /** A link or a nobr ends the open one of its name, if there may be one. */
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

  /** Treats the open elements as possibly open for long. */
  private void leaveOpen() {
    for (String name : open) {
      formattingStarts += FORMATTING.contains(name) ? 1 : 0;
    }
    open.clear();
  }

  /** Returns the name in lower case; empty if it is too long for a formatting element. */
  private String name(int from) {
    int end = from;
    while (end < html.length() && end - from <= LONGEST_NAME && !isEndOfName(html.charAt(end))) {
      end++;
    }
    return end - from > LONGEST_NAME ? "" : html.substring(from, end).toLowerCase(Locale.ROOT);
  }

  /** Returns the number of a tag's attributes, duplicates included, or the maximum. */
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
    int at = from + 1; // a name may begin with an equals sign
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
    // Also beyond ASCII: jsoup decides what a letter is.
    return at < html.length() && Character.isLetter(html.charAt(at));
  }

  private static boolean isEndOfName(char c) {
    return isSpace(c) || c == '/' || c == '>';
  }

  private static boolean isSpace(char c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\f' || c == '\r';
  }
}
