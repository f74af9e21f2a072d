package io.kmodel.indexer.sort;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Radix sort from the least significant digit, one thread, stable: n keys cost one counting pass
 * and {@code ceil(bits / 11)} scattering ones, whatever their distribution. Digits in which all
 * keys agree are passed over. Memory besides the scratch: 16 KiB of counters a pass; with {@link
 * #buffered}, up to 160 KiB in a scattering pass beside them. Safe for many threads on different
 * keys.
 *
 * <p>Each key goes straight to its place. Satish et al. (Fast Sort on CPUs and GPUs, sections 4.2.1
 * and 4.3.1) collect the keys of a digit in a cache line first, for a processor that had the
 * addresses of 512 pages at hand and 128 KiB of L2 a thread. Where the last lines of 1,024 targets
 * stay in a core's own cache, the way through the line costs more than it saves. 7.5 M keys of a
 * text, 18 bits, ns per key, with lines and without: 9.6 to 10.4 and 5.2 (AMD EPYC, 1 MiB of L2);
 * sixteen threads at once, keys like them: 16.6 to 17.6 and 13.2 to 14.2 (Intel Xeon, 2 MiB of L2).
 *
 * <p>Why 11 bits: a run of a text has 16 to 19 bits of terms, and passes of up to 10 bits cost
 * alike (2 to 3 ns a key on the first machine), so their number decides. At 22 bits the first
 * machine would rather have 3 × 7 (7 ns in place of 10 to 12), the second 2 × 11 (12 in place of
 * 16). An even number of passes also ends in the keys' own memory.
 */
public final class RadixKeySorter implements KeySorter {
  static final int DIGIT_BITS = 11;

  private static final int KEY_BYTES = 8;

  /** Keys whose digits are counted, one after the other, while they lie in the L1 cache. */
  private static final long COUNTED_AT_ONCE = 2048;

  /** Keys per call of the scattering loop: an int counts them, which the compiler likes best. */
  private static final long SCATTERED_AT_ONCE = 1 << 16;

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
    if (maxDigitBits < 1 || maxDigitBits > 16) {
      throw new IllegalArgumentException("digits must have 1 to 16 bits; got " + maxDigitBits);
    }
    this.maxDigitBits = maxDigitBits;
    this.isBuffered = isBuffered;
  }

  /** The same with the paper's lines, for comparison. */
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
    try (Arena arena = Arena.ofConfined()) {
      LineBuffers lines = isBuffered ? new LineBuffers(1 << maxDigitBits, arena) : null;
      for (int pass = 0; pass < passes; pass++) {
        if (isConstant(counts[pass], count)) {
          continue;
        }
        if (lines == null) {
          scatter(from, count, to, shifts[pass], counts[pass]);
        } else {
          lines.scatter(from, count, to, shifts[pass], counts[pass]);
        }
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

  private static void scatter(long from, long count, long to, int shift, long[] counts) {
    long[] next = starts(to, counts);
    for (long done = 0; done < count; done += SCATTERED_AT_ONCE) {
      int n = (int) Math.min(SCATTERED_AT_ONCE, count - done);
      scatter(from + KEY_BYTES * done, n, shift, next);
    }
  }

  private static void scatter(long from, int n, int shift, long[] next) {
    int mask = next.length - 1;
    for (int i = 0; i < n; i++) {
      long key = OffHeap.getLong(from + (long) KEY_BYTES * i);
      int digit = (int) (key >>> shift) & mask;
      long target = next[digit];
      next[digit] = target + KEY_BYTES;
      OffHeap.putLong(target, key);
    }
  }

  /** Where the keys of each digit begin, the first ones at an address. */
  static long[] starts(long to, long[] counts) {
    long[] starts = new long[counts.length];
    long start = to;
    for (int digit = 0; digit < counts.length; digit++) {
      starts[digit] = start;
      start += KEY_BYTES * counts[digit];
    }
    return starts;
  }
}
