package io.kmodel.indexer.sort;

import io.kmodel.indexer.memory.OffHeap;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Radix sort from the least significant digit, one thread, stable: n keys cost one counting pass
 * and {@code ceil(bits / 11)} scattering ones, whatever their distribution. Digits in which all
 * keys agree are passed over. Each key goes straight to its place: the buffers of Satish et al.
 * (Fast Sort on CPUs and GPUs, sections 4.2.1 and 4.3.1) take longer than they save where a core
 * has a large cache of its own (docs/sorting.md has the figures); {@link #buffered} has them.
 *
 * <p>Memory besides the scratch: 16 KiB of counters a pass and 32 KiB of targets, at most 128 KiB;
 * buffered, {@link LineBuffers} more. Safe for many threads on different keys.
 */
public final class RadixKeySorter implements KeySorter {
  static final int DIGIT_BITS = 11;

  private static final int KEY_BYTES = 8;

  /** Keys whose digits are counted, one after the other, while they lie in the L1 cache. */
  private static final long COUNTED_AT_ONCE = 2048;

  /** Keys per call of the scattering loop: an int counts them, which the compiler likes best. */
  private static final long SCATTERED_AT_ONCE = 1 << 16;

  /** A counter of 4 bytes for each digit is then 256 KiB. */
  public static final int MOST_DIGIT_BITS = 16;

  private final int maxDigitBits;
  private final boolean isBuffered;

  public RadixKeySorter() {
    this(DIGIT_BITS);
  }

  /** A sorter that takes up to so many bits at a time, 1 to 16, for comparison. */
  public RadixKeySorter(int maxDigitBits) {
    this(maxDigitBits, false);
  }

  private RadixKeySorter(int maxDigitBits, boolean isBuffered) {
    if (maxDigitBits < 1 || maxDigitBits > MOST_DIGIT_BITS) {
      throw new IllegalArgumentException(
          "digits must have 1 to %d bits; got %d".formatted(MOST_DIGIT_BITS, maxDigitBits));
    }
    this.maxDigitBits = maxDigitBits;
    this.isBuffered = isBuffered;
  }

  /** The same with the paper's buffers, for comparison. */
  public static RadixKeySorter buffered(int maxDigitBits) {
    return new RadixKeySorter(maxDigitBits, true);
  }

  @Override
  public boolean isStable() {
    return true;
  }

  @Override
  public String name() {
    if (isBuffered) {
      return "buffered-radix-" + maxDigitBits;
    }
    return maxDigitBits == DIGIT_BITS ? "radix" : "radix-" + maxDigitBits;
  }

  @Override
  public void sort(MemorySegment keys, long count, MemorySegment scratch, int lowBit, int highBit) {
    SortArguments.check(keys, count, scratch, lowBit, highBit);
    int bits = highBit - lowBit;
    if (count < 2 || bits == 0) {
      return;
    }
    int[] shifts = shifts(lowBit, bits);
    int passes = shifts.length - 1;
    long[][] counts = countDigits(keys.address(), count, shifts);
    long from = keys.address();
    long to = scratch.address();
    try (LineBuffers lines = isBuffered ? new LineBuffers(1 << maxDigitBits) : null) {
      for (int pass = 0; pass < passes; pass++) {
        if (isConstant(counts[pass], count)) {
          continue;
        }
        scatter(from, count, shifts[pass], starts(to, counts[pass]), lines);
        long swap = from;
        from = to;
        to = swap;
      }
    }
    if (from != keys.address()) {
      MemorySegment.copy(scratch, 0, keys, 0, KEY_BYTES * count);
    }
  }

  /** The lowest bit of every digit and, last, the bit above the highest digit. */
  private int[] shifts(int lowBit, int bits) {
    int passes = (bits + maxDigitBits - 1) / maxDigitBits;
    int[] shifts = new int[passes + 1];
    for (int pass = 0; pass <= passes; pass++) {
      shifts[pass] = lowBit + bits * pass / passes;
    }
    return shifts;
  }

  /** All histograms in one pass over the memory. */
  private static long[][] countDigits(long keys, long count, int[] shifts) {
    int passes = shifts.length - 1;
    long[][] counts = new long[passes][];
    for (int pass = 0; pass < passes; pass++) {
      counts[pass] = new long[1 << (shifts[pass + 1] - shifts[pass])];
    }
    for (long done = 0; done < count; done += COUNTED_AT_ONCE) {
      int n = (int) Math.min(COUNTED_AT_ONCE, count - done);
      for (int pass = 0; pass < passes; pass++) {
        countDigit(keys + KEY_BYTES * done, n, shifts[pass], counts[pass]);
      }
    }
    return counts;
  }

  private static void countDigit(long keys, int n, int shift, long[] counts) {
    int mask = counts.length - 1;
    long start = OffHeap.start(keys);
    for (int i = 0; i < n; i++) {
      counts[(int) (OffHeap.getLong(start + (long) KEY_BYTES * i) >>> shift) & mask]++;
    }
  }

  private static boolean isConstant(long[] counts, long total) {
    for (long count : counts) {
      if (count != 0) {
        return count == total;
      }
    }
    return true;
  }

  /** Where the keys of each digit begin, the first ones at an address. */
  private static long[] starts(long to, long[] counts) {
    long[] starts = new long[counts.length];
    long start = to;
    for (int digit = 0; digit < counts.length; digit++) {
      starts[digit] = start;
      start += KEY_BYTES * counts[digit];
    }
    return starts;
  }

  /** One pass. */
  private static void scatter(
      long from, long count, int shift, long[] starts, @Nullable LineBuffers lines) {
    long[] next = starts.clone();
    for (long done = 0; done < count; done += SCATTERED_AT_ONCE) {
      long at = from + KEY_BYTES * done;
      int n = (int) Math.min(SCATTERED_AT_ONCE, count - done);
      if (lines == null) {
        scatter(at, n, shift, next);
      } else {
        lines.scatter(at, n, shift, starts, next);
      }
    }
    if (lines != null) {
      lines.flush(starts, next);
    }
  }

  private static void scatter(long from, int n, int shift, long[] next) {
    int mask = next.length - 1;
    long start = OffHeap.start(from);
    for (int i = 0; i < n; i++) {
      long key = OffHeap.getLong(start + (long) KEY_BYTES * i);
      int digit = (int) (key >>> shift) & mask;
      long target = next[digit];
      next[digit] = target + KEY_BYTES;
      OffHeap.putLong(target, key);
    }
  }
}
