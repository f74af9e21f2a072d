package io.kmodel.indexer.inversion;

import io.kmodel.indexer.index.model.PostingsCursor;
import java.util.Arrays;

/**
 * Unpacks blocks of {@value #SIZE} numbers of Lucene104PostingsFormat: the inverse of BlockPacking
 * in export.lucene.postings, which describes the layout. Memory: 2 KiB. Not thread-safe.
 */
final class BlockUnpacking {
  static final int SIZE = PostingsCursor.BLOCK;

  private final int[] words = new int[SIZE];

  /** Words of a packed block. */
  static int packedWords(int bits) {
    return SIZE / Integer.SIZE * bits;
  }

  /**
   * Unpacks a block.
   *
   * @param bits of a number, 1 to 31
   */
  void unpack(int[] packed, int bits, int[] to) {
    if (bits <= Byte.SIZE) {
      unpackWords(packed, SIZE / 4, bits, Byte.SIZE, 0x01010101);
      for (int i = 0; i < SIZE / 4; i++) {
        int word = words[i];
        to[i] = word >>> 24;
        to[SIZE / 4 + i] = (word >>> 16) & 0xFF;
        to[SIZE / 2 + i] = (word >>> 8) & 0xFF;
        to[3 * SIZE / 4 + i] = word & 0xFF;
      }
    } else if (bits <= Short.SIZE) {
      unpackWords(packed, SIZE / 2, bits, Short.SIZE, 0x00010001);
      for (int i = 0; i < SIZE / 2; i++) {
        to[i] = words[i] >>> 16;
        to[SIZE / 2 + i] = words[i] & 0xFFFF;
      }
    } else {
      unpackWords(packed, SIZE, bits, Integer.SIZE, 1);
      System.arraycopy(words, 0, to, 0, SIZE);
    }
  }

  /**
   * Unpacks words of several lanes.
   *
   * @param count number of words
   * @param width width of a lane
   * @param ones a word with a one in each lane
   */
  private void unpackWords(int[] packed, int count, int bits, int width, int ones) {
    int length = packedWords(bits);
    int mask = ones * ((1 << bits) - 1);
    int laid = 0;
    int shift = width - bits;
    for (; shift >= 0; shift -= bits) {
      for (int i = 0; i < length; i++) {
        words[laid + i] = (packed[i] >>> shift) & mask;
      }
      laid += length;
    }
    if (laid < count) {
      collect(packed, laid, count, bits, shift + bits, ones);
    }
  }

  /** Collects the words from {@code from} on out of the lowest bits of all lanes. */
  private void collect(int[] packed, int from, int count, int bits, int free, int ones) {
    Arrays.fill(words, from, count, 0);
    int at = from;
    // Bits of words[at] that are missing.
    int left = bits;
    for (int i = 0; i < packedWords(bits) && at < count; i++) {
      int value = packed[i] & (ones * ((1 << free) - 1));
      if (left > free) {
        left -= free;
        words[at] |= value << left;
      } else {
        int rest = free - left;
        words[at++] |= (value >>> rest) & (ones * ((1 << left) - 1));
        left = bits - rest;
        if (rest > 0) {
          words[at] |= (value & (ones * ((1 << rest) - 1))) << left;
        }
      }
    }
  }
}
