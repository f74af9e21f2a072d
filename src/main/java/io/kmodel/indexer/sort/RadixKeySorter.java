package io.kmodel.indexer.sort;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Radix sort from the least significant digit, one thread, stable: n keys cost one counting pass
 * and {@code ceil(bits / 11)} scattering ones, whatever their distribution. A scattering pass
 * collects the keys of each digit in a cache line of its own and writes whole, aligned lines
 * (Satish et al., Fast Sort on CPUs and GPUs, sections 4.2.1 and 4.3.1). Digits in which all keys
 * agree are passed over. Memory besides the scratch: 128 KiB of line buffers, 16 KiB of counters a
 * pass and 32 KiB of targets, at most 256 KiB, allocated per call. Safe for many threads on
 * different keys.
 *
 * <p>Why 11 bits, though 128 KiB of buffers leave the L1 cache: passes cost alike (4 to 5 ns a
 * key), so their number decides. 16.7 M keys on an AMD EPYC core with 48 KiB of L1 and 1 MiB of L2,
 * ns per key: 22 bits as 2 × 11 take 9.6 (Zipf) and 11.6 (uniform), as 3 × 8 13.7 and 18.8; 20 bits
 * as 2 × 10 take 9.2 and 9.2, as 3 × 7 14.8 and 17.3. An even number of passes also ends in the
 * keys' own memory. Huge pages gained less than 10 %.
 */
public final class RadixKeySorter implements KeySorter {
  static final int DIGIT_BITS = 11;

  private static final int KEY_BYTES = 8;
  private static final int LINE_BYTES = 64;
  private static final int LINE_SHIFT = 6;
  private static final int IN_LINE = LINE_BYTES - 1;
  private static final int LAST_IN_LINE = LINE_BYTES - KEY_BYTES;

  /** Keys whose digits are counted, one after the other, while they lie in the L1 cache. */
  private static final long COUNTED_AT_ONCE = 2048;

  /** Keys per call of the scattering loop: an int counts them, which the compiler likes best. */
  private static final long SCATTERED_AT_ONCE = 1 << 16;

  private final int maxDigitBits;

  public RadixKeySorter() {
    this(DIGIT_BITS);
  }

  /** A sorter that takes up to so many bits at a time, 1 to 16, for comparison. */
  public RadixKeySorter(int maxDigitBits) {
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
    try (Arena arena = Arena.ofConfined()) {
      long lines = OffHeap.allocate((long) LINE_BYTES << maxDigitBits, arena).address();
      for (int pass = 0; pass < passes; pass++) {
        if (isConstant(counts[pass], count)) {
          continue;
        }
        scatter(from, count, to, shifts[pass], counts[pass], lines);
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
    for (int i = 0; i < n; i++) {
      counts[(int) (OffHeap.getLong(keys + (long) KEY_BYTES * i) >>> shift) & mask]++;
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

  private static void scatter(
      long from, long count, long to, int shift, long[] counts, long lines) {
    int digits = counts.length;
    long[] starts = new long[digits];
    long start = to;
    for (int digit = 0; digit < digits; digit++) {
      starts[digit] = start;
      start += KEY_BYTES * counts[digit];
    }
    long[] next = starts.clone();
    for (long done = 0; done < count; done += SCATTERED_AT_ONCE) {
      int n = (int) Math.min(SCATTERED_AT_ONCE, count - done);
      scatter(from + KEY_BYTES * done, n, shift, starts, next, lines);
    }
    for (int digit = 0; digit < digits; digit++) {
      long target = Math.max(next[digit] & -LINE_BYTES, starts[digit]);
      long line = line(lines, digit);
      for (; target < next[digit]; target += KEY_BYTES) {
        OffHeap.putLong(target, OffHeap.getLong(line + (target & IN_LINE)));
      }
    }
  }

  /**
   * The inner loop. A key waits in its digit's line at the place that its target has in its own
   * line, so a line is full exactly when a line of the target is complete.
   */
  private static void scatter(long from, int n, int shift, long[] starts, long[] next, long lines) {
    int mask = next.length - 1;
    for (int i = 0; i < n; i++) {
      long key = OffHeap.getLong(from + (long) KEY_BYTES * i);
      int digit = (int) (key >>> shift) & mask;
      long target = next[digit];
      next[digit] = target + KEY_BYTES;
      long line = line(lines, digit);
      OffHeap.putLong(line + (target & IN_LINE), key);
      if ((target & IN_LINE) == LAST_IN_LINE) {
        flush(line, target - LAST_IN_LINE, starts[digit]);
      }
    }
  }

  private static long line(long lines, int digit) {
    return lines + ((long) digit << LINE_SHIFT);
  }

  /** Writes a full line; of a digit's first line only what belongs to the digit. */
  private static void flush(long line, long target, long start) {
    if (target < start) {
      for (long at = start; at < target + LINE_BYTES; at += KEY_BYTES) {
        OffHeap.putLong(at, OffHeap.getLong(line + (at - target)));
      }
      return;
    }
    OffHeap.putLong(target, OffHeap.getLong(line));
    OffHeap.putLong(target + 8, OffHeap.getLong(line + 8));
    OffHeap.putLong(target + 16, OffHeap.getLong(line + 16));
    OffHeap.putLong(target + 24, OffHeap.getLong(line + 24));
    OffHeap.putLong(target + 32, OffHeap.getLong(line + 32));
    OffHeap.putLong(target + 40, OffHeap.getLong(line + 40));
    OffHeap.putLong(target + 48, OffHeap.getLong(line + 48));
    OffHeap.putLong(target + 56, OffHeap.getLong(line + 56));
  }
}
