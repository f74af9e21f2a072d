package io.kmodel.indexer.parse;

import java.io.CharArrayReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;
import org.jspecify.annotations.Nullable;

/**
 * What each code point below U+10000 does to the words around it, as StandardTokenizer has it, and
 * its lower case. Up to kana the classes are learnt from StandardTokenizer itself, so they follow
 * its version of Unicode: a code point is put into a probe, beside letters, digits and other
 * scripts, and is of the class of the example that is cut at the same places. What is cut like no
 * example is {@link #UNSURE}.
 *
 * <p>Learnt a page of 256 code points at a time, when the first of them is met; the first takes
 * some 6 ms, each other 1 to 2. The thousands of ideographs and of Hangul syllables, which would
 * take long, are known; of all else from U+3100 on only U+FF00 and what follows is. Memory: 768
 * bytes per page, 50 pages. Any number of threads: a page never changes once it is made, and two
 * threads that make the same one make it equal.
 */
final class CharacterClasses {
  /** Never part of a word nor of what could become one: text may be cut beside it. */
  static final byte BREAK = 0;

  /** Like a break, but joins the Hebrew letters around it: the double quote. */
  static final byte QUOTE = 1;

  /** Like a break, but starts an emoji where a keycap follows: number sign and asterisk. */
  static final byte KEYCAP_BASE = 2;

  static final byte LETTER = 3;
  static final byte DIGIT = 4;

  /** Belongs to the word beside it, and joins, but makes none alone: the underscore. */
  static final byte CONNECTOR = 5;

  /** Joins two letters: the colon. */
  static final byte MID_LETTER = 6;

  /** Joins two digits: the comma. */
  static final byte MID_NUMBER = 7;

  /** Joins two letters or two digits: the full stop, the apostrophe. */
  static final byte MID_BOTH = 8;

  /** Belongs to the character before it: combining marks and format characters. */
  static final byte EXTEND = 9;

  /** A word by itself, whatever stands beside it, but for what extends it: ideographs, hiragana. */
  static final byte IDEOGRAPH = 10;

  /** To be left to StandardTokenizer. */
  static final byte UNSURE = 11;

  /** All from here on is unsure: rare ideographs, most emoji. */
  static final int LIMIT = 0x10000;

  /** Up to here classes are learnt; and from {@link #WIDE} on. */
  static final int LEARNT = 0x3100;

  /** Punctuation of Chinese and Japanese, and letters as wide as these. */
  static final int WIDE = 0xFF00;

  /** Of each class, by its number, characters known to be of it. */
  private static final String[] EXAMPLES = {
    " ", "\"", "#", "b", "5", "_", ":", ",", ".'", "\u0301", "\u5B57",
  };

  /**
   * The contexts, a line each, with '?' for the character in question. Beside Latin letters and
   * digits: a keycap, a watch (an emoji), a zero-width joiner, a Hebrew, a Thai and a Katakana
   * letter. At most 64 characters, so that the places of the cuts are the bits of a long.
   */
  private static final String PROBE =
      """
      ?:?
      ?"?
      ?'
      a?a
      a?
      ?a
      1?1
      ?.?
      _?_
      #?
      ?\u20E3
      \u231A?\u231A
      ?\u200D\u231A
      \u05D0?\u05D0
      \u05D0?
      \u0E01?\u0E01
      \u30AB?\u30AB
      """;

  private static final char[] PROBE_CHARS = PROBE.toCharArray();

  /** Of the character in question. */
  private static final int[] PLACES =
      IntStream.range(0, PROBE.length()).filter(at -> PROBE.charAt(at) == '?').toArray();

  private static final int PAGE_BITS = 8;
  private static final int PAGE_SIZE = 1 << PAGE_BITS;

  private static final Cuts[] KNOWN = known();
  private static final @Nullable Page[] PAGES = new @Nullable Page[LIMIT >> PAGE_BITS];

  private CharacterClasses() {}

  /** The class of a code point. */
  static byte of(int codePoint) {
    if (isLearnt(codePoint)) {
      return page(codePoint).classes[codePoint & (PAGE_SIZE - 1)];
    }
    if (isIdeograph(codePoint)) {
      return IDEOGRAPH;
    }
    return isHangul(codePoint) ? LETTER : UNSURE;
  }

  private static boolean isLearnt(int codePoint) {
    return codePoint < LEARNT || (codePoint >= WIDE && codePoint < LIMIT);
  }

  /** Of the ideographs that Unicode has had for long. */
  private static boolean isIdeograph(int codePoint) {
    return (codePoint >= 0x4E00 && codePoint <= 0x9FA5)
        || (codePoint >= 0x3400 && codePoint <= 0x4DB5);
  }

  /** Of whole syllables. */
  private static boolean isHangul(int codePoint) {
    return codePoint >= 0xAC00 && codePoint <= 0xD7A3;
  }

  /** The lower case, as Lucene's LowerCaseFilter has it, of a code point that is not unsure. */
  static char lower(int codePoint) {
    return isLearnt(codePoint)
        ? page(codePoint).lower[codePoint & (PAGE_SIZE - 1)]
        : (char) codePoint;
  }

  private static Page page(int codePoint) {
    int number = codePoint >> PAGE_BITS;
    Page page = PAGES[number];
    if (page == null) {
      page = new Page(number << PAGE_BITS);
      PAGES[number] = page;
    }
    return page;
  }

  private static Cuts[] known() {
    Cuts[] known = new Cuts[EXAMPLES.length];
    Arrays.setAll(known, i -> new Cuts(EXAMPLES[i]));
    return known;
  }

  /** Its fields are final, which is what lets other threads see it whole. */
  private static final class Page {
    final byte[] classes = new byte[PAGE_SIZE];
    final char[] lower = new char[PAGE_SIZE];

    Page(int first) {
      StringBuilder characters = new StringBuilder(PAGE_SIZE);
      for (int i = 0; i < PAGE_SIZE; i++) {
        characters.append((char) (first + i));
        lower[i] = (char) Character.toLowerCase(first + i);
      }
      Cuts cuts = new Cuts(characters);
      for (int i = 0; i < PAGE_SIZE; i++) {
        classes[i] = cuts.classOf(i);
      }
    }
  }

  /** Where StandardTokenizer cuts the probes of some characters. */
  private static final class Cuts {
    private final long[] starts;
    private final long[] ends;

    Cuts(CharSequence characters) {
      starts = new long[characters.length()];
      ends = new long[characters.length()];
      try (StandardTokenizer tokens = new StandardTokenizer()) {
        OffsetAttribute offsets = tokens.getAttribute(OffsetAttribute.class);
        tokens.setReader(new CharArrayReader(probes(characters)));
        tokens.reset();
        while (tokens.incrementToken()) {
          int start = offsets.startOffset();
          int last = offsets.endOffset() - 1;
          starts[start / PROBE.length()] |= 1L << (start % PROBE.length());
          ends[last / PROBE.length()] |= 1L << (last % PROBE.length());
        }
        tokens.end();
      } catch (IOException e) {
        throw new UncheckedIOException("reading from memory failed", e);
      }
    }

    /** Put together in one array: for strings Java compiled their loops, 10 to 30 ms. */
    private static char[] probes(CharSequence characters) {
      int length = PROBE.length();
      char[] probes = new char[characters.length() * length];
      for (int i = 0; i < characters.length(); i++) {
        System.arraycopy(PROBE_CHARS, 0, probes, i * length, length);
        for (int at : PLACES) {
          probes[i * length + at] = characters.charAt(i);
        }
      }
      return probes;
    }

    byte classOf(int i) {
      for (byte known = 0; known < KNOWN.length; known++) {
        Cuts examples = KNOWN[known];
        for (int j = 0; j < examples.starts.length; j++) {
          if (starts[i] == examples.starts[j] && ends[i] == examples.ends[j]) {
            return known;
          }
        }
      }
      return UNSURE;
    }
  }
}
