package io.kmodel.indexer.analysis.words;

import io.kmodel.indexer.analysis.words.Suffixes.Suffix;
import io.kmodel.indexer.source.record.EightBytes;
import java.util.Arrays;
import java.util.List;

/**
 * Removes the endings of lowercase English words in place: M. F. Porter, <em>An algorithm for
 * suffix stripping</em>, Program 14 (1980), with its author's later changes (bli and logi), exactly
 * like Lucene's PorterStemFilter. A word of fewer than three characters stays unchanged, and every
 * character that is not a vowel is a consonant.
 *
 * <p>The vowels of a word are the bits of a long, so the paper's measure m, the number of vowel
 * sequences followed by a consonant, is a bit count. A word that does not fit, or that has a
 * character outside ASCII and a possible ending, is stemmed by Lucene. Memory: under 1 KB. Not
 * thread-safe.
 */
final class PorterStemmer {
  private static final int LONGEST = 63;

  /** Step 2 of the paper, for stems with m of at least 1. */
  private static final Suffixes DOUBLE =
      Suffixes.of(
          "ational", "ate", "tional", "tion", "enci", "ence", "anci", "ance", "izer", "ize", "bli",
          "ble", "alli", "al", "entli", "ent", "eli", "e", "ousli", "ous", "ization", "ize",
          "ation", "ate", "ator", "ate", "alism", "al", "iveness", "ive", "fulness", "ful",
          "ousness", "ous", "aliti", "al", "iviti", "ive", "biliti", "ble", "logi", "log");

  /** Step 3, for stems with m of at least 1. */
  private static final Suffixes MIDDLE =
      Suffixes.of(
          "icate", "ic", "ative", "", "alize", "al", "iciti", "ic", "ical", "ic", "ful", "", "ness",
          "");

  /** Step 4, for stems with m of at least 2; ion only after s or t. */
  private static final Suffixes LAST =
      Suffixes.of(
          "al", "", "ance", "", "ence", "", "er", "", "ic", "", "able", "", "ible", "", "ant", "",
          "ement", "", "ment", "", "ent", "", "s-ion", "", "t-ion", "", "ou", "", "ism", "", "ate",
          "", "iti", "", "ous", "", "ive", "", "ize", "");

  private static final long S = Suffixes.pack("s");
  private static final long SSES = Suffixes.pack("sses");
  private static final long IES = Suffixes.pack("ies");
  private static final long EED = Suffixes.pack("eed");
  private static final long ED = Suffixes.pack("ed");
  private static final long ING = Suffixes.pack("ing");
  private static final long AT = Suffixes.pack("at");
  private static final long BL = Suffixes.pack("bl");
  private static final long IZ = Suffixes.pack("iz");

  private static final long BYTE = 0xFFL;
  private static final long TWO = 0xFFFFL;
  private static final long THREE = 0xFF_FFFFL;
  private static final long FOUR = 0xFFFF_FFFFL;

  /** For each last letter of an ending, a bit for the lowest five bits of the letter before it. */
  private static final int[] LAST_TWO = lastTwo();

  private final LuceneStems lucene = new LuceneStems();

  // The current word.
  private byte[] bytes = {};
  private int offset;
  private int length;
  private long vowels;

  private static int[] lastTwo() {
    int[] lastTwo = new int['z' + 1];
    for (Suffixes suffixes : List.of(DOUBLE, MIDDLE, LAST)) {
      suffixes.addLastTwo(lastTwo);
    }
    lastTwo['d'] |= 1 << 'e';
    lastTwo['g'] |= 1 << 'n';
    lastTwo['l'] |= 1 << 'l';
    for (char c : new char[] {'s', 'y', 'e'}) {
      lastTwo[c] = -1;
    }
    return Arrays.copyOfRange(lastTwo, 'a', 0x80);
  }

  /**
   * Stems a word.
   *
   * @param bytes holds it at offset, which is at least {@link WordScanner#WORD_START}, with eight
   *     readable bytes after it; its stem replaces it
   * @return the stem's length, at most the word's
   */
  int stem(byte[] bytes, int offset, int length) {
    if (length < 3 || !mayEnd(bytes[offset + length - 2], bytes[offset + length - 1])) {
      return length;
    }
    this.bytes = bytes;
    this.offset = offset;
    this.length = length;
    if (length > LONGEST || !findVowels()) {
      return lucene.stem(bytes, offset, length);
    }
    plural();
    pastOrGerund();
    finalY();
    replace(DOUBLE, 1);
    replace(MIDDLE, 1);
    replace(LAST, 2);
    finalE();
    return this.length;
  }

  /** Whether the last two letters of a word are those of an ending. */
  private static boolean mayEnd(byte lastButOne, byte last) {
    return last >= 'a' && (LAST_TWO[last - 'a'] >>> lastButOne & 1) != 0;
  }

  /**
   * Finds the vowels; returns false if the word is not all ASCII. A y is a vowel after a consonant.
   */
  private boolean findVowels() {
    long found = 0;
    long ys = 0;
    long all = 0;
    for (int i = 0; i < length; i += Long.BYTES) {
      long eight = EightBytes.at(bytes, offset + i);
      if (length - i < Long.BYTES) {
        eight &= (1L << (Byte.SIZE * (length - i))) - 1;
      }
      all |= eight;
      found |= (long) EightBytes.bits(EightBytes.vowels(eight)) << i;
      ys |= (long) EightBytes.bits(EightBytes.equal(eight, 'y')) << i;
    }
    // From left to right; no letter precedes the first.
    for (long left = ys & ~1L; left != 0; left &= left - 1) {
      long y = Long.lowestOneBit(left);
      if ((found & y >>> 1) == 0) {
        found |= y;
      }
    }
    vowels = found;
    return EightBytes.isAscii(all);
  }

  /** Step 1a. */
  private void plural() {
    long last = last8();
    if ((last & BYTE) != S) {
      return;
    }
    if ((last & FOUR) == SSES || (last & THREE) == IES) {
      length -= 2;
    } else if ((last >>> Byte.SIZE & BYTE) != S) {
      length--;
    }
  }

  /** Step 1b. */
  private void pastOrGerund() {
    long last = last8();
    if ((last & THREE) == EED) {
      if (measure(length - 3) > 0) {
        length--;
      }
      return;
    }
    int stem = (last & TWO) == ED ? length - 2 : (last & THREE) == ING ? length - 3 : 0;
    if (stem == 0 || !hasVowel(stem)) {
      return;
    }
    length = stem;
    last = last8();
    if ((last & TWO) == AT || (last & TWO) == BL || (last & TWO) == IZ) {
      addE();
    } else if (endsInDouble()) {
      long letter = last & BYTE;
      if (letter != 'l' && letter != 's' && letter != 'z') {
        length--;
      }
    } else if (measure(length) == 1 && isShort(length)) {
      addE();
    }
  }

  /** The letter removed, e of -ed or i of -ing, was a vowel, too. */
  private void addE() {
    bytes[offset + length++] = 'e';
  }

  /** Step 1c. */
  private void finalY() {
    int last = length - 1;
    if (bytes[offset + last] == 'y' && hasVowel(last)) {
      bytes[offset + last] = 'i';
      vowels |= 1L << last;
    }
  }

  /** Replaces the first ending that matches, if the stem before it is long enough. */
  private void replace(Suffixes suffixes, int leastMeasure) {
    long last = last8();
    for (Suffix suffix : suffixes.candidates(last)) {
      if (suffix.ends(last)) {
        int stem = length - suffix.length();
        if (measure(stem) >= leastMeasure) {
          put(stem, suffix);
        }
        return;
      }
    }
  }

  private void put(int stem, Suffix suffix) {
    byte[] letters = suffix.replacement();
    for (int i = 0; i < letters.length; i++) {
      bytes[offset + stem + i] = letters[i];
    }
    length = stem + letters.length;
    vowels = (vowels & firstBits(stem)) | (suffix.replacementVowels() << stem);
  }

  /** Step 5. */
  private void finalE() {
    int m = measure(length);
    if (bytes[offset + length - 1] == 'e' && (m > 1 || (m == 1 && !isShort(length - 1)))) {
      length--;
    }
    if (bytes[offset + length - 1] == 'l' && m > 1 && endsInDouble()) {
      length--;
    }
  }

  private long last8() {
    return Suffixes.last8(bytes, offset, length);
  }

  /** Returns the paper's m of the first letters: the number of their vowels before a consonant. */
  private int measure(int letters) {
    return Long.bitCount(vowels & ~(vowels >>> 1) & firstBits(letters) >>> 1);
  }

  private boolean hasVowel(int letters) {
    return (vowels & firstBits(letters)) != 0;
  }

  private static long firstBits(int letters) {
    return (1L << letters) - 1;
  }

  /** The paper's *d: the word ends in a double consonant. */
  private boolean endsInDouble() {
    int last = length - 1;
    return last >= 1
        && bytes[offset + last] == bytes[offset + last - 1]
        && (vowels >>> last & 1) == 0;
  }

  /**
   * The paper's *o: the first letters end in consonant, vowel, consonant, and the last is not w, x
   * or y.
   */
  private boolean isShort(int letters) {
    if (letters < 3 || (vowels >>> (letters - 3) & 7) != 2) {
      return false;
    }
    byte last = bytes[offset + letters - 1];
    return last != 'w' && last != 'x' && last != 'y';
  }
}
