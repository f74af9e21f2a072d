package io.kmodel.indexer.parse;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Eight bytes of text at a time, as a long whose lowest byte is the first. A set of bytes among
 * them is a long of their highest bits.
 */
final class EightBytes {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long ONES = 0x0101_0101_0101_0101L;
  private static final long HIGH = 0x8080_8080_8080_8080L;
  private static final long LOW_SEVEN = 0x7F * ONES;
  private static final long CASE = 0x20 * ONES;

  /** Moves bit 8i to bit 56 + i, for all i below 8. */
  private static final long GATHER = 0x0102_0408_1020_4080L;

  private EightBytes() {}

  static long at(byte[] text, int at) {
    return (long) LONG.get(text, at);
  }

  static void put(byte[] text, int at, long eight) {
    LONG.set(text, at, eight);
  }

  /** The ASCII letters, digits and underscores. */
  static long wordBytes(long eight) {
    return asciiWordBytes(eight & LOW_SEVEN) & ~eight;
  }

  /** Whether so many bytes are ASCII, a multiple of eight. */
  static boolean areAscii(byte[] text, int at, int count) {
    long all = 0;
    for (int i = 0; i < count; i += Long.BYTES) {
      all |= at(text, at + i);
    }
    return isAscii(all);
  }

  /**
   * Which of 64 bytes of ASCII are letters, digits and underscores: the first is the lowest bit.
   */
  static long wordBytes(byte[] ascii, int at) {
    long words = 0;
    for (int i = 0; i < Long.SIZE; i += Long.BYTES) {
      words |= (long) bits(asciiWordBytes(at(ascii, at + i))) << i;
    }
    return words;
  }

  private static long asciiWordBytes(long ascii) {
    long letters = between(ascii | CASE, 'a', 'z');
    return (letters | between(ascii, '0', '9') | equal(ascii, '_')) & HIGH;
  }

  /** Word bytes with the letters in lower case; other bytes may change. */
  static long lowerWord(long eight) {
    // Letters have bit 6. So has the underscore, which bit 5 would make another character.
    long letters = eight << 1 & ~equal(eight & LOW_SEVEN, '_') & HIGH;
    return eight | letters >>> 2;
  }

  /** How many of the first bytes are in a set: 0 to 8. */
  static int leading(long set) {
    return Long.numberOfTrailingZeros(~set & HIGH) >>> 3;
  }

  /** ASCII above the space that does not begin markup: no less-than sign, no ampersand. */
  static long plain(long eight) {
    long seven = eight & LOW_SEVEN;
    long stops = equal(seven, '<') | equal(seven, '&') | eight;
    return between(seven, '!', '\u007F') & ~stops & HIGH;
  }

  /** The spaces; of other bytes none. */
  static long spaces(long eight) {
    return equal(eight & LOW_SEVEN, ' ') & ~eight & HIGH;
  }

  /** A set whose first member is the first byte of this value; of the others some may not be. */
  static long firstEqual(long eight, byte value) {
    long zeros = eight ^ (value & 0xFF) * ONES;
    return zeros - ONES & ~zeros & HIGH;
  }

  /** ASCII with its capital letters in lower case. */
  static long lower(long ascii) {
    return ascii | (between(ascii, 'A', 'Z') & HIGH) >>> 2;
  }

  /** Which byte the first member of a set is; 8 if there is none. */
  static int first(long set) {
    return Long.numberOfTrailingZeros(set) >>> 3;
  }

  /**
   * How many UTF-16 units the characters have that start among eight bytes of UTF-8: one for each
   * byte that continues no character, one more for each that starts one of four bytes.
   */
  static int utf16Units(long eight) {
    long continuing = eight & ~(eight << 1) & HIGH;
    long four = eight & eight << 1 & eight << 2 & eight << 3 & HIGH;
    return Long.BYTES - Long.bitCount(continuing) + Long.bitCount(four);
  }

  static boolean isAscii(long eight) {
    return (eight & HIGH) == 0;
  }

  /** The a, e, i, o and u. */
  static long vowels(long ascii) {
    return (equal(ascii, 'a')
            | equal(ascii, 'e')
            | equal(ascii, 'i')
            | equal(ascii, 'o')
            | equal(ascii, 'u'))
        & HIGH;
  }

  /** Those that equal a character; bytes below 0x80. Other bits are unspecified. */
  static long equal(long ascii, char c) {
    return ~((ascii ^ c * ONES) + LOW_SEVEN);
  }

  /** A set as eight bits, the first byte's lowest. */
  static int bits(long set) {
    return (int) (((set >>> 7 & ONES) * GATHER) >>> 56);
  }

  /** Those from one character to another; bytes below 0x80. Other bits are unspecified. */
  private static long between(long ascii, char first, char last) {
    return ascii + (0x80 - first) * ONES & ~(ascii + (0x80 - last - 1) * ONES);
  }
}
