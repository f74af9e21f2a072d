package io.kmodel.indexer.export.lucene.postings;

import io.kmodel.indexer.index.model.PostingsCursor;

/**
 * Packs blocks of {@value #SIZE} numbers like Lucene104PostingsFormat, whose readers decode them
 * with vectors. Four lanes of 8 bits, or two of 16, share a word; their numbers are a quarter or
 * half of the block apart. Words are combined by OR at decreasing shifts. The bits remaining in
 * every lane are filled with the last numbers, bit by bit. Memory: 2 KiB. Not thread-safe.
 */
final class BlockPacking {
  static final int SIZE = PostingsCursor.BLOCK;

  /** Maximum number of outliers, i.e. numbers with more bits than are packed. */
  private static final int MAX_OUTLIERS = 7;

  /** Maximum number of an outlier's extra bits. */
  private static final int OUTLIER_BITS = Byte.SIZE;

  /** Words with a one in each of four lanes, and in each of two lanes. */
  private static final int IN_BYTES = 0x01010101;

  private static final int IN_SHORTS = 0x00010001;

  private final int[] lanes = new int[SIZE];
  private final int[] packed = new int[SIZE];

  /** Index and extra bits of each outlier, alternating. */
  private final byte[] outliers = new byte[2 * MAX_OUTLIERS];

  /** Number of bits of the largest number, at least one; no number may have the sign bit. */
  static int bits(int[] values) {
    int union = 1;
    for (int i = 0; i < SIZE; i++) {
      union |= values[i];
    }
    return Integer.SIZE - Integer.numberOfLeadingZeros(union);
  }

  /** Packs numbers that have at most the given number of bits. */
  void pack(int[] values, int bits, EncodedBytes out) {
    if (bits <= Byte.SIZE) {
      layBytes(values);
      pack(lanes, SIZE / 4, bits, Byte.SIZE, IN_BYTES);
    } else if (bits <= Short.SIZE) {
      layShorts(values);
      pack(lanes, SIZE / 2, bits, Short.SIZE, IN_SHORTS);
    } else {
      pack(values, SIZE, bits, Integer.SIZE, 1);
    }
    out.putInts(packed, SIZE / Integer.SIZE * bits);
  }

  /**
   * Packs numbers at a width that at most {@value #MAX_OUTLIERS} exceed, followed by the extra bits
   * of these. The extra bits are removed from the array.
   */
  void packPatched(int[] values, EncodedBytes out) {
    int all = bits(values);
    int bits = all;
    int count = 0;
    int least = Math.max(1, all - OUTLIER_BITS);
    while (bits > least) {
      int more = above(values, (1 << (bits - 1)) - 1);
      if (more > MAX_OUTLIERS) {
        break;
      }
      count = more;
      bits--;
    }
    if (count > 0) {
      takeOutliers(values, bits);
    }
    if (all <= OUTLIER_BITS && allEqual(values)) {
      putEqual(values[0], bits, count, out);
    } else {
      out.put((byte) ((count << 5) | bits));
      pack(values, bits, out);
    }
    for (int i = 0; i < 2 * count; i++) {
      out.put(outliers[i]);
    }
  }

  /** Writes one number for all; the outliers' extra bits then count from the lowest bit. */
  private void putEqual(int value, int bits, int count, EncodedBytes out) {
    for (int i = 0; i < count; i++) {
      outliers[2 * i + 1] = (byte) (outliers[2 * i + 1] << bits);
    }
    out.put((byte) (count << 5));
    out.putVInt(value);
  }

  /** Counts numbers above a limit by the sign of the difference, without branches. */
  private static int above(int[] values, int limit) {
    int above = 0;
    for (int i = 0; i < SIZE; i++) {
      above += (limit - values[i]) >>> (Integer.SIZE - 1);
    }
    return above;
  }

  private void takeOutliers(int[] values, int bits) {
    int limit = (1 << bits) - 1;
    int at = 0;
    for (int i = 0; i < SIZE; i++) {
      int value = values[i];
      if (value > limit) {
        outliers[at++] = (byte) i;
        outliers[at++] = (byte) (value >>> bits);
        values[i] = value & limit;
      }
    }
  }

  private static boolean allEqual(int[] values) {
    int first = values[0];
    int i = 1;
    while (i < SIZE && values[i] == first) {
      i++;
    }
    return i == SIZE;
  }

  private void layBytes(int[] values) {
    for (int i = 0; i < SIZE / 4; i++) {
      lanes[i] =
          (values[i] << 24)
              | (values[SIZE / 4 + i] << 16)
              | (values[SIZE / 2 + i] << 8)
              | values[3 * SIZE / 4 + i];
    }
  }

  private void layShorts(int[] values) {
    for (int i = 0; i < SIZE / 2; i++) {
      lanes[i] = (values[i] << 16) | values[SIZE / 2 + i];
    }
  }

  /**
   * Packs words.
   *
   * @param count number of words
   * @param width width of a lane
   * @param ones a word with a one in each lane
   */
  private void pack(int[] words, int count, int bits, int width, int ones) {
    int length = SIZE / Integer.SIZE * bits;
    int shift = width - bits;
    layFirst(words, length, shift);
    int laid = length;
    for (shift -= bits; shift >= 0; shift -= bits) {
      layOver(words, laid, length, shift);
      laid += length;
    }
    if (laid < count) {
      fill(words, laid, bits, shift + bits, ones);
    }
  }

  private void layFirst(int[] words, int length, int shift) {
    for (int i = 0; i < length; i++) {
      packed[i] = words[i] << shift;
    }
  }

  private void layOver(int[] words, int from, int length, int shift) {
    for (int i = 0; i < length; i++) {
      packed[i] |= words[from + i] << shift;
    }
  }

  /** Fills the lowest bits of all lanes with the words starting at {@code from}. */
  private void fill(int[] words, int from, int bits, int free, int ones) {
    int length = SIZE / Integer.SIZE * bits;
    int at = from;
    // Bits of words[at] that are not packed yet.
    int left = bits;
    for (int i = 0; i < length; i++) {
      if (left > free) {
        left -= free;
        packed[i] |= (words[at] >>> left) & (ones * ((1 << free) - 1));
      } else {
        int missing = free - left;
        packed[i] |= (words[at++] & (ones * ((1 << left) - 1))) << missing;
        left = bits - missing;
        if (missing > 0) {
          packed[i] |= (words[at] >>> left) & (ones * ((1 << missing) - 1));
        }
      }
    }
  }
}
