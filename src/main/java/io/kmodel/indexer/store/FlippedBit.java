package io.kmodel.indexer.store;

import java.util.OptionalLong;

/**
 * Finds the single bit whose flipping explains a wrong CRC-32C. The difference of two checksums
 * depends only on which bits differ, and is distinct for every single bit. Time: a few nanoseconds
 * per bit, searching from the last one backwards. Differences repeat after 2^31 - 1 bits, so the
 * search is limited to that many.
 */
public final class FlippedBit {
  /** The polynomial of CRC-32C, with its lowest term in the highest bit. */
  private static final int POLYNOMIAL = 0x82F63B78;

  private static final long MOST_BITS = Integer.MAX_VALUE;

  private static final String ALTERED = "file altered or truncated?";

  private FlippedBit() {}

  /**
   * Finds the bit whose flipping turns the expected checksum into the one found. The offset of a
   * bit is its byte's offset times 8 plus its place from the lowest bit.
   *
   * @param bytes number of bytes that the checksum covers
   * @return empty if more than one bit is wrong, or none that the checksum covers
   */
  public static OptionalLong find(long found, long expected, long bytes) {
    int difference = (int) (found ^ expected);
    int here = POLYNOMIAL;
    long last = bytes * Byte.SIZE - 1;
    for (long bit = last; bit >= 0 && last - bit < MOST_BITS; bit--) {
      if (here == difference) {
        return OptionalLong.of(bit);
      }
      here = here >>> 1 ^ (-(here & 1) & POLYNOMIAL);
    }
    return OptionalLong.empty();
  }

  /**
   * Describes the likely damage in a message.
   *
   * @param start file offset of the bytes that the checksum covers
   * @param place file offset of the checksum itself, stored lowest byte first
   */
  static String describe(long found, long expected, long start, long bytes, long place) {
    if (Long.bitCount(found ^ expected) == 1) {
      // A single differing bit of the checksum cannot come from the content.
      return describe(place + Long.numberOfTrailingZeros(found ^ expected) / Byte.SIZE);
    }
    OptionalLong bit = find(found, expected, bytes);
    return bit.isEmpty() ? ALTERED : describe(start + bit.getAsLong() / Byte.SIZE);
  }

  /**
   * Describes the likely damage to bytes at the start of a file, if they do not store the checksum.
   */
  public static String describe(long found, long expected, long bytes) {
    OptionalLong bit = find(found, expected, bytes);
    return bit.isEmpty() ? ALTERED : describe(bit.getAsLong() / Byte.SIZE);
  }

  private static String describe(long offset) {
    return "one bit of the byte at offset %d flipped?".formatted(offset);
  }
}
