package io.kmodel.indexer.sort;

import io.kmodel.indexer.memory.OffHeap;
import java.lang.foreign.MemorySegment;

/**
 * Radix sort from the least significant digit, one thread, stable: n keys cost one counting pass
 * and {@code ceil(bits / 11)} scattering passes, for any distribution. A pass is skipped if all
 * keys have the same digit. Each key is written directly to its target: the buffers of Satish et
 * al. (Fast Sort on CPUs and GPUs, sections 4.2.1 and 4.3.1) cost more than they save on cores with
 * a large cache (docs/results/sorting.md has the figures).
 *
 * <p>Memory besides the scratch: 16 KiB of counters a pass and 32 KiB of targets, at most 128 KiB.
 * Safe for many threads on different keys.
 */
public class RadixKeySorter implements KeySorter {
  static final int DIGIT_BITS = 11;

  private static final int KEY_BYTES = 8;

  /** Keys of which all digits are counted while they are in the L1 cache. */
  private static final long COUNTED_AT_ONCE = 2048;

  /** Keys per call of the scattering loop, which is fastest with an int as its counter. */
  private static final long SCATTERED_AT_ONCE = 1 << 16;

  /** Counters of 4 bytes for each value of a digit then take 256 KiB. */
  public static final int MOST_DIGIT_BITS = 16;

  private final int maxDigitBits;

  /** Moves keys to where the keys with their digit belong. */
  public interface Scatter extends AutoCloseable {
    /**
     * Moves some of the keys.
     *
     * @param from the keys' address
     * @param shift the digit's lowest bit
     * @param starts address of the first key with each value of the digit, a power of two of them
     * @param next address of the next key with each value
     */
    void scatter(long from, int n, int shift, long[] starts, long[] next);

    /** Ends a pass, after all keys: writes those that are still buffered. */
    default void flush(long[] starts, long[] next) {}

    @Override
    default void close() {}
  }

  public RadixKeySorter() {
    this(DIGIT_BITS);
  }

  /** A sorter with digits of at most {@code maxDigitBits} bits, 1 to 16. */
  public RadixKeySorter(int maxDigitBits) {
    if (maxDigitBits < 1 || maxDigitBits > MOST_DIGIT_BITS) {
      throw new IllegalArgumentException(
          "digits must have 1 to %d bits; got %d".formatted(MOST_DIGIT_BITS, maxDigitBits));
    }
    this.maxDigitBits = maxDigitBits;
  }

  @Override
  public boolean isStable() {
    return true;
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
    try (Scatter scatter = newScatter()) {
      for (int pass = 0; pass < passes; pass++) {
        if (isConstant(counts[pass], count)) {
          continue;
        }
        scatter(scatter, from, count, shifts[pass], starts(to, counts[pass]));
        long swap = from;
        from = to;
        to = swap;
      }
    }
    if (from != keys.address()) {
      MemorySegment.copy(scratch, 0, keys, 0, KEY_BYTES * count);
    }
  }

  /**
   * The scatter of one sort, for all its passes; {@code lab.BufferedRadixKeySorter} overrides it.
   */
  protected Scatter newScatter() {
    return RadixKeySorter::scatter;
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

  /** The histograms of all digits, in one pass over the memory. */
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

  /** Addresses of the first key with each digit; those of the lowest digit start at {@code to}. */
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
  private static void scatter(Scatter scatter, long from, long count, int shift, long[] starts) {
    long[] next = starts.clone();
    for (long done = 0; done < count; done += SCATTERED_AT_ONCE) {
      long at = from + KEY_BYTES * done;
      int n = (int) Math.min(SCATTERED_AT_ONCE, count - done);
      scatter.scatter(at, n, shift, starts, next);
    }
    scatter.flush(starts, next);
  }

  @SuppressWarnings("unused") // starts: a buffered scatter needs them
  private static void scatter(long from, int n, int shift, long[] starts, long[] next) {
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
