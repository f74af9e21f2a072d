package io.kmodel.indexer.parse;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Endings of words, with what each is replaced by. A word is looked at through its last eight
 * letters, packed into a long with the last one lowest, so that a comparison of longs tells an
 * ending; and the endings are found by their last letter but one. Immutable.
 */
final class Suffixes {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  /** Letters that differ in these bits differ. */
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
   * Endings and their replacements, in turn. Where one ends in another, the longer comes first. A
   * hyphen in an ending stands after what must be there and is none of it: {@code t-ion}.
   *
   * @param pairs of at most eight ASCII letters, the endings of at least two; a replacement is
   *     never the longer one
   */
  static Suffixes of(String... pairs) {
    List<Suffix> suffixes = new ArrayList<>();
    for (int i = 0; i < pairs.length; i += 2) {
      suffixes.add(new Suffix(pairs[i], pairs[i + 1]));
    }
    return new Suffixes(suffixes);
  }

  /** The last eight letters of a word; zeros before those of a shorter one. */
  static long last8(byte[] bytes, int offset, int length) {
    long letters = (long) LONG.get(bytes, offset + length - Long.BYTES);
    return length >= Long.BYTES ? letters : letters & ((1L << (Byte.SIZE * length)) - 1);
  }

  /** Puts what {@link #last8} gave before an end, zeros and all. */
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

  /** The endings to try on a word, in order. */
  Suffix[] candidates(long last8) {
    return byLastButOne[lastButOne(last8)];
  }

  /** Sets, in an array by last letter, the bits of the letters before that the endings have. */
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

    /** Letters that the ending has. */
    int length() {
      return length;
    }

    byte[] replacement() {
      return replacement;
    }

    /** Bit i is set where the replacement's letter i is a vowel. */
    long replacementVowels() {
      return replacementVowels;
    }
  }
}
