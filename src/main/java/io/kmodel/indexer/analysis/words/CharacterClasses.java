package io.kmodel.indexer.analysis.words;

import java.io.CharArrayReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;
import org.jspecify.annotations.Nullable;

/**
 * The effect of each code point below U+10000 on the words around it, as in StandardTokenizer, and
 * its lower case. Classes up to kana are learned from StandardTokenizer itself, so they follow its
 * version of Unicode. A code point is put into a probe beside letters, digits and other scripts. It
 * gets the class of the example that is cut at the same offsets, or {@link #UNSURE} if no example
 * is.
 *
 * <p>A page of 256 code points is learned when the first of them occurs; the first page takes about
 * 6 ms, each other 1 to 2. The thousands of ideographs and Hangul syllables, which would take long,
 * are hard-coded. Of the other code points from U+3100 on, only those from U+FF00 on are learned.
 * Memory: 768 bytes per page, 50 pages. Thread-safe: a page is immutable, and two threads that
 * learn the same page get equal results.
 */
public final class CharacterClasses {
  /** Never part of a word or of anything that could become one: text may be cut next to it. */
  public static final byte BREAK = 0;

  /** Like a break, but joins the Hebrew letters around it: the double quote. */
  static final byte QUOTE = 1;

  /** Like a break, but starts an emoji if a keycap follows: number sign and asterisk. */
  static final byte KEYCAP_BASE = 2;

  static final byte LETTER = 3;
  static final byte DIGIT = 4;

  /** Belongs to the adjacent word and joins words, but is no word alone: the underscore. */
  static final byte CONNECTOR = 5;

  /** Joins two letters: the colon. */
  static final byte MID_LETTER = 6;

  /** Joins two digits: the comma. */
  static final byte MID_NUMBER = 7;

  /** Joins two letters or two digits: the full stop, the apostrophe. */
  static final byte MID_BOTH = 8;

  /** Belongs to the character before it: combining marks and format characters. */
  static final byte EXTEND = 9;

  /** A word alone, whatever is next to it, except for what extends it: ideographs, hiragana. */
  static final byte IDEOGRAPH = 10;

  /** Must be left to StandardTokenizer. */
  static final byte UNSURE = 11;

  /** Everything from here on is unsure: rare ideographs, most emoji. */
  public static final int LIMIT = 0x10000;

  /** Classes are learned below this code point, and from {@link #WIDE} on. */
  public static final int LEARNT = 0x3100;

  /** Chinese and Japanese punctuation, and letters of the same width. */
  public static final int WIDE = 0xFF00;

  /** For each class, by its number, characters known to belong to it. */
  private static final String[] EXAMPLES = {
    " ", "\"", "#", "b", "5", "_", ":", ",", ".'", "\u0301", "\u5B57",
  };

  /**
   * The contexts, one per line, with '?' for the tested character. Besides Latin letters and
   * digits, they contain a keycap, a watch (an emoji), a zero-width joiner, and a Hebrew, a Thai
   * and a Katakana letter. At most 64 characters, so that the offsets of the cuts fit the bits of a
   * long.
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

  /** The offsets of the tested character. */
  private static final int[] PLACES =
      IntStream.range(0, PROBE.length()).filter(at -> PROBE.charAt(at) == '?').toArray();

  private static final int PAGE_BITS = 8;
  private static final int PAGE_SIZE = 1 << PAGE_BITS;

  private static final Cuts[] KNOWN = known();
  private static final @Nullable Page[] PAGES = new @Nullable Page[LIMIT >> PAGE_BITS];

  private CharacterClasses() {}

  /** Returns the class of a code point. */
  public static byte of(int codePoint) {
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

  /** Whether it is one of the ideographs of early Unicode versions. */
  private static boolean isIdeograph(int codePoint) {
    return (codePoint >= 0x4E00 && codePoint <= 0x9FA5)
        || (codePoint >= 0x3400 && codePoint <= 0x4DB5);
  }

  /** Whether it is a whole Hangul syllable. */
  private static boolean isHangul(int codePoint) {
    return codePoint >= 0xAC00 && codePoint <= 0xD7A3;
  }

  /** Returns the lower case of a code point that is not unsure, as in Lucene's LowerCaseFilter. */
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

  /** A page. Its fields are final, so that other threads see it complete. */
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

  /** The offsets at which StandardTokenizer cuts the probes of some characters. */
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

    /**
     * Builds all probes in one array; with strings, the JIT compiled their loops for 10 to 30 ms.
     */
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
