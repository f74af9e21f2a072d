package io.kmodel.indexer.export.lucene.postings;

import java.util.Arrays;

/**
 * Bounds for the scores of some documents under any similarity: the highest frequency per norm.
 * Only frequencies above those of all smaller norms (shorter documents) count. Lucene calls these
 * competitive impacts. Memory: 1 KiB. Not thread-safe.
 */
final class BlockImpacts {
  private static final int NORMS = 1 << Byte.SIZE;

  private final int[] highest = new int[NORMS];

  void clear() {
    Arrays.fill(highest, 0);
  }

  void add(byte norm, int freq) {
    int at = Byte.toUnsignedInt(norm);
    highest[at] = Math.max(highest[at], freq);
  }

  void addAll(BlockImpacts others) {
    for (int norm = 0; norm < NORMS; norm++) {
      highest[norm] = Math.max(highest[norm], others.highest[norm]);
    }
  }

  /** Writes the impacts that count in ascending order of norms; returns their number. */
  int writeTo(EncodedBytes out) {
    int count = 0;
    int freq = 0;
    int norm = 0;
    for (int i = 0; i < NORMS; i++) {
      if (highest[i] > freq) {
        // Most norms are consecutive, so a norm's gap is only written if it is not one.
        int gap = (byte) i - norm - 1;
        int more = highest[i] - freq - 1;
        if (gap == 0) {
          out.putVInt(more << 1);
        } else {
          out.putVInt((more << 1) | 1);
          out.putZLong(gap);
        }
        freq = highest[i];
        norm = (byte) i;
        count++;
      }
    }
    return count;
  }
}
