package io.kmodel.indexer.store;

import java.util.OptionalLong;

/**
 * Finds the one bit whose flipping explains a wrong CRC-32C: the difference of two checksums
 * depends on which bits differ alone, and is another one for every single bit. Time: a few
 * nanoseconds a bit, from the last one backwards; there is a limit, since differences repeat after
 * 2^31 - 1 bits.
 */
public final class FlippedBit {
  /** The polynomial of CRC-32C, its lowest term in the highest bit. */
  private static final int POLYNOMIAL = 0x82F63B78;

  private static final long MOST_BITS = Integer.MAX_VALUE;

  private static final String ALTERED = "file altered or truncated?";

  private FlippedBit() {}

  /**
   * The offset of a bit, its byte's number times 8 plus its place from the lowest one, whose
   * flipping gives what was found for what was expected.
   *
   * @param bytes how many bytes the checksum is of
   * @return empty if more than one bit is wrong, or none that the checksum is of
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
   * The same in words, for messages.
   *
   * @param start file offset of the bytes that the checksum is of
   * @param place file offset of the checksum itself, the lowest byte first
   */
  static String describe(long found, long expected, long start, long bytes, long place) {
    if (Long.bitCount(found ^ expected) == 1) {
      // No bit of the content makes a difference of one bit.
      return describe(place + Long.numberOfTrailingZeros(found ^ expected) / Byte.SIZE);
    }
    OptionalLong bit = find(found, expected, bytes);
    return bit.isEmpty() ? ALTERED : describe(start + bit.getAsLong() / Byte.SIZE);
  }

  /** The same for bytes that start a file, and a checksum that is not found in them. */
  public static String describe(long found, long expected, long bytes) {
    OptionalLong bit = find(found, expected, bytes);
    return bit.isEmpty() ? ALTERED : describe(bit.getAsLong() / Byte.SIZE);
  }

  private static String describe(long offset) {
    return "one bit of the byte at offset %d flipped?".formatted(offset);
  }
}
