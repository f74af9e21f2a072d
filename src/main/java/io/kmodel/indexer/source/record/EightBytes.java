package io.kmodel.indexer.source.record;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Processes eight bytes of text at a time, as a long whose lowest byte is the first. A set of these
 * bytes is a long with their highest bits.
 */
public final class EightBytes {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long ONES = 0x0101_0101_0101_0101L;
  private static final long HIGH = 0x8080_8080_8080_8080L;
  private static final long LOW_SEVEN = 0x7F * ONES;
  private static final long CASE = 0x20 * ONES;

  /** Moves bit 8i to bit 56 + i, for all i below 8. */
  private static final long GATHER = 0x0102_0408_1020_4080L;

  private EightBytes() {}

  public static long at(byte[] text, int at) {
    return (long) LONG.get(text, at);
  }

  public static void put(byte[] text, int at, long eight) {
    LONG.set(text, at, eight);
  }

  /** Returns the set of ASCII letters, digits and underscores. */
  public static long wordBytes(long eight) {
    return asciiWordBytes(eight & LOW_SEVEN) & ~eight;
  }

  /** Whether {@code count} bytes, a multiple of eight, are ASCII. */
  public static boolean areAscii(byte[] text, int at, int count) {
    long all = 0;
    for (int i = 0; i < count; i += Long.BYTES) {
      all |= at(text, at + i);
    }
    return isAscii(all);
  }

  /**
   * Marks the letters, digits and underscores among 64 ASCII bytes; the first byte is the lowest
   * bit.
   */
  public static long wordBytes(byte[] ascii, int at) {
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

  /** Lowercases the letters of word bytes; other bytes may change. */
  public static long lowerWord(long eight) {
    // Letters have bit 6. So has the underscore, which bit 5 would turn into another character.
    long letters = eight << 1 & ~equal(eight & LOW_SEVEN, '_') & HIGH;
    return eight | letters >>> 2;
  }

  /** Returns how many of the first bytes are in a set: 0 to 8. */
  public static int leading(long set) {
    return Long.numberOfTrailingZeros(~set & HIGH) >>> 3;
  }

  /**
   * Returns the set of ASCII above the space that does not begin markup: no less-than sign, no
   * ampersand.
   */
  public static long plain(long eight) {
    long seven = eight & LOW_SEVEN;
    long stops = equal(seven, '<') | equal(seven, '&') | eight;
    return between(seven, '!', '\u007F') & ~stops & HIGH;
  }

  /** Returns the set of spaces. */
  public static long spaces(long eight) {
    return equal(eight & LOW_SEVEN, ' ') & ~eight & HIGH;
  }

  /**
   * Returns a set whose first member is the first byte with this value; later members may be wrong.
   */
  public static long firstEqual(long eight, byte value) {
    long zeros = eight ^ (value & 0xFF) * ONES;
    return zeros - ONES & ~zeros & HIGH;
  }

  /**
   * Returns a set that is empty if no byte is a blank or a control character of ASCII; which of the
   * bytes are in it is unspecified.
   */
  public static long upToBlank(long eight) {
    return eight - 0x21 * ONES & ~eight & HIGH;
  }

  /**
   * Returns a set whose first member is the first byte that ends plain text in a JSON string: a
   * quote, a backslash or a control character; later members may be wrong.
   */
  public static long stopsOfString(long eight) {
    long controls = eight - 0x20 * ONES & ~eight & HIGH;
    return controls | firstEqual(eight, (byte) '"') | firstEqual(eight, (byte) '\\');
  }

  /** The same, also for bytes that are not ASCII. */
  public static long stopsOfAsciiString(long eight) {
    return stopsOfString(eight) | (eight & HIGH);
  }

  /** Lowercases the capital letters of ASCII. */
  public static long lower(long ascii) {
    return ascii | (between(ascii, 'A', 'Z') & HIGH) >>> 2;
  }

  /** Returns the index of a set's first member; 8 if it is empty. */
  public static int first(long set) {
    return Long.numberOfTrailingZeros(set) >>> 3;
  }

  /**
   * Counts the UTF-16 units of the characters that start among eight bytes of UTF-8: one for each
   * byte that is not a continuation, and one more for each first byte of four.
   */
  public static int utf16Units(long eight) {
    long continuing = eight & ~(eight << 1) & HIGH;
    long four = eight & eight << 1 & eight << 2 & eight << 3 & HIGH;
    return Long.BYTES - Long.bitCount(continuing) + Long.bitCount(four);
  }

  public static boolean isAscii(long eight) {
    return (eight & HIGH) == 0;
  }

  /** Returns the set of a, e, i, o and u. */
  public static long vowels(long ascii) {
    return (equal(ascii, 'a')
            | equal(ascii, 'e')
            | equal(ascii, 'i')
            | equal(ascii, 'o')
            | equal(ascii, 'u'))
        & HIGH;
  }

  /**
   * Returns the set of bytes equal to a character, for bytes below 0x80. Other bits are
   * unspecified.
   */
  public static long equal(long ascii, char c) {
    return ~((ascii ^ c * ONES) + LOW_SEVEN);
  }

  /** Returns a set as eight bits, the first byte's lowest. */
  public static int bits(long set) {
    return (int) (((set >>> 7 & ONES) * GATHER) >>> 56);
  }

  /**
   * Returns the set of bytes in a range of characters, for bytes below 0x80. Other bits are
   * unspecified.
   */
  private static long between(long ascii, char first, char last) {
    return ascii + (0x80 - first) * ONES & ~(ascii + (0x80 - last - 1) * ONES);
  }
}
