package io.kmodel.indexer.index.columns;

import io.kmodel.indexer.store.LittleEndian;
import java.util.Arrays;

/**
 * Numbers of a fixed width in a string of bits, low bits first: number i has the bits from {@code i
 * · width}. A width is at most {@value #MOST}, or {@value Long#SIZE}, so that eight bytes hold each
 * number.
 */
final class BitPacking {
  private static final int MOST = 56;

  private BitPacking() {}

  /** The width of numbers up to the given one, which has no sign. */
  static int width(long largest) {
    int bits = Long.SIZE - Long.numberOfLeadingZeros(largest);
    return bits > MOST ? Long.SIZE : bits;
  }

  static boolean isWidth(int width) {
    return width >= 0 && (width <= MOST || width == Long.SIZE);
  }

  /** The size of packed numbers. */
  static int bytes(int count, int width) {
    return (int) (((long) count * width + Byte.SIZE - 1) / Byte.SIZE);
  }

  /**
   * Packs numbers.
   *
   * @param to has room for {@link #bytes} and eight more
   */
  static void pack(long[] numbers, int count, int width, byte[] to) {
    Arrays.fill(to, 0, bytes(count, width) + Long.BYTES, (byte) 0);
    for (int i = 0; i < count && width > 0; i++) {
      long bit = (long) i * width;
      int at = (int) (bit / Byte.SIZE);
      long before = LittleEndian.getLong(to, at);
      LittleEndian.putLong(to, at, before | numbers[i] << (int) (bit % Byte.SIZE));
    }
  }

  /**
   * The number at a place.
   *
   * @param bytes the eight bytes from {@code index · width / 8}
   */
  static long number(long bytes, long index, int width) {
    if (width == Long.SIZE) {
      return bytes;
    }
    long bit = index * width;
    return bytes >>> (int) (bit % Byte.SIZE) & ((1L << width) - 1);
  }
}
