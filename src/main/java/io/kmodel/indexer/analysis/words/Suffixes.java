package io.kmodel.indexer.analysis.words;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Word endings and their replacements. The last eight letters of a word are packed into a long with
 * the last one lowest, so one comparison of longs recognizes an ending. The endings are indexed by
 * their second-last letter. Immutable.
 */
final class Suffixes {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  /** The bits by which letters are distinguished. */
  private static final int LETTER_BITS = 31;

  private final Suffix[][] byLastButOne = new Suffix[LETTER_BITS + 1][];

  private Suffixes(List<Suffix> suffixes) {
    for (int letter = 0; letter <= LETTER_BITS; letter++) {
      int wanted = letter;
      byLastButOne[letter] =
          suffixes.stream()
              .filter(suffix -> lastButOne(suffix.letters) == wanted)
              .toArray(Suffix[]::new);
    }
  }

  /**
   * Creates a set of endings from endings and replacements in turn. If one ending is the end of
   * another, the longer one comes first. A hyphen in an ending follows letters that must precede
   * the ending but do not belong to it: {@code t-ion}.
   *
   * @param pairs of at most eight ASCII letters; endings have at least two, and a replacement is
   *     not longer than its ending
   */
  static Suffixes of(String... pairs) {
    List<Suffix> suffixes = new ArrayList<>();
    for (int i = 0; i < pairs.length; i += 2) {
      suffixes.add(new Suffix(pairs[i], pairs[i + 1]));
    }
    return new Suffixes(suffixes);
  }

  /** Returns the last eight letters of a word; a shorter one is padded with zeros in front. */
  static long last8(byte[] bytes, int offset, int length) {
    long letters = (long) LONG.get(bytes, offset + length - Long.BYTES);
    return length >= Long.BYTES ? letters : letters & ((1L << (Byte.SIZE * length)) - 1);
  }

  /** Writes a result of {@link #last8} before an end, including its zeros. */
  static void putLast8(byte[] bytes, int end, long last8) {
    LONG.set(bytes, end - Long.BYTES, last8);
  }

  static long pack(String letters) {
    long packed = 0;
    for (byte b : letters.getBytes(StandardCharsets.US_ASCII)) {
      packed = packed << Byte.SIZE | b;
    }
    return packed;
  }

  /** Returns the endings to try on a word, in order. */
  Suffix[] candidates(long last8) {
    return byLastButOne[lastButOne(last8)];
  }

  /** Sets the bits of the endings' second-last letters, in an array indexed by the last letter. */
  void addLastTwo(int[] bits) {
    for (Suffix[] suffixes : byLastButOne) {
      for (Suffix suffix : suffixes) {
        bits[(int) suffix.letters & 0xFF] |= 1 << lastButOne(suffix.letters);
      }
    }
  }

  private static int lastButOne(long letters) {
    return (int) (letters >>> Byte.SIZE) & LETTER_BITS;
  }

  /** An ending. */
  static final class Suffix {
    private final long letters;
    private final long mask;
    private final int length;
    private final byte[] replacement;
    private final long replacementVowels;

    Suffix(String ending, String replacement) {
      String all = ending.replace("-", "");
      this.letters = pack(all);
      this.mask = -1L >>> (Long.SIZE - Byte.SIZE * all.length());
      this.length = ending.length() - (ending.indexOf('-') + 1);
      this.replacement = replacement.getBytes(StandardCharsets.US_ASCII);
      long vowels = 0;
      for (int i = 0; i < replacement.length(); i++) {
        vowels |= "aeiou".indexOf(replacement.charAt(i)) >= 0 ? 1L << i : 0;
      }
      this.replacementVowels = vowels;
    }

    boolean ends(long last8) {
      return (last8 & mask) == letters;
    }

    /** Returns the number of letters of the ending. */
    int length() {
      return length;
    }

    byte[] replacement() {
      return replacement;
    }

    /** Returns the vowels of the replacement: bit i is set if its letter i is a vowel. */
    long replacementVowels() {
      return replacementVowels;
    }
  }
}
