package io.kmodel.indexer.experiment;

import io.kmodel.indexer.sort.KeySorter;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Radix sort from the least significant digit as textbooks have it, one thread, stable: each key
 * goes straight to its place, without a line to wait in. It shows what the lines of {@link
 * io.kmodel.indexer.sort.RadixKeySorter} are worth (Satish et al., section 4.2.1). Memory besides
 * the scratch: 8 bytes a digit's value.
 */
public final class PlainRadixSorter implements KeySorter {
  private static final ValueLayout.OfLong KEY = ValueLayout.JAVA_LONG;

  private final int maxDigitBits;

  /** A sorter that takes up to so many bits at a time, 1 to 16. */
  public PlainRadixSorter(int maxDigitBits) {
    if (maxDigitBits < 1 || maxDigitBits > 16) {
      throw new IllegalArgumentException("digits must have 1 to 16 bits; got " + maxDigitBits);
    }
    this.maxDigitBits = maxDigitBits;
  }

  @Override
  public boolean isStable() {
    return true;
  }

  @Override
  public String name() {
    return "plain-radix-" + maxDigitBits;
  }

  @Override
  public void sort(MemorySegment keys, long count, MemorySegment scratch, int lowBit, int highBit) {
    int bits = highBit - lowBit;
    int passes = (bits + maxDigitBits - 1) / maxDigitBits;
    MemorySegment from = keys;
    MemorySegment to = scratch;
    for (int pass = 0; pass < passes; pass++) {
      int shift = lowBit + bits * pass / passes;
      int digitBits = lowBit + bits * (pass + 1) / passes - shift;
      scatter(from, count, to, shift, digitBits);
      MemorySegment swap = from;
      from = to;
      to = swap;
    }
    if (passes % 2 != 0) {
      MemorySegment.copy(scratch, 0, keys, 0, Long.BYTES * count);
    }
  }

  private static void scatter(
      MemorySegment from, long count, MemorySegment to, int shift, int digitBits) {
    int mask = (1 << digitBits) - 1;
    long[] next = new long[mask + 2];
    for (long i = 0; i < count; i++) {
      next[((int) (from.getAtIndex(KEY, i) >>> shift) & mask) + 1]++;
    }
    for (int digit = 0; digit < mask; digit++) {
      next[digit + 1] += next[digit];
    }
    for (long i = 0; i < count; i++) {
      long key = from.getAtIndex(KEY, i);
      to.setAtIndex(KEY, next[(int) (key >>> shift) & mask]++, key);
    }
  }
}
