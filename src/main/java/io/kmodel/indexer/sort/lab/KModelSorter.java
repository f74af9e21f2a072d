package io.kmodel.indexer.sort.lab;

import io.kmodel.indexer.sort.KModelSchedule;
import io.kmodel.indexer.sort.Superstep;
import io.kmodel.indexer.sort.Superstep.Step;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/**
 * Runs a {@link KModelSchedule} on the CPU, pass by pass and part by part, like the paper's machine
 * (Algorithms 2 and 3): fetch a part into a local memory of σ keys, do the superstep's steps there,
 * put it back. This is the oracle of the device's kernels, not a fast sorter: O(n log² n).
 *
 * <p>Unsigned order, not stable, in place with 8·σ bytes of local memory. Any n: block q of a stage
 * ascends if q is odd or the last block, otherwise it descends, and comparators that reach past the
 * last key are skipped. So missing keys behave like keys above all others that never move.
 */
public final class KModelSorter {
  private static final ValueLayout.OfLong KEY = ValueLayout.JAVA_LONG_UNALIGNED;

  private final MemorySegment keys;
  private final long n;
  private final long[] local;

  private KModelSorter(int partSize, MemorySegment keys, long n) {
    this.keys = Objects.requireNonNull(keys);
    this.n = n;
    this.local = new long[partSize];
  }

  /**
   * Sorts native-order u64 keys.
   *
   * @param keys 8 bytes a key
   * @param n number of keys
   * @param log2Sigma logarithm of the local memory's size in keys, 1 to 30
   * @param log2K logarithm of the keys of a memory transaction, less than log2Sigma
   * @param mode how far a pass may reach
   */
  public static void sort(
      MemorySegment keys, long n, int log2Sigma, int log2K, KModelSchedule.Mode mode) {
    if (keys.byteSize() < n * Long.BYTES) {
      throw new IllegalArgumentException(
          "segment of " + keys.byteSize() + " bytes is too short for " + n + " keys");
    }
    KModelSchedule schedule = new KModelSchedule(n, log2Sigma, log2K, mode);
    KModelSorter sorter = new KModelSorter(1 << log2Sigma, keys, n);
    for (Superstep superstep : schedule.supersteps()) {
      sorter.runSuperstep(superstep);
    }
  }

  private void runSuperstep(Superstep superstep) {
    long parts = superstep.partCount(n);
    for (long part = 0; part < parts; part++) {
      long base = superstep.partBase(part);
      fetch(superstep, base);
      for (Step step : superstep.steps()) {
        runStep(superstep, base, step);
      }
      putBack(superstep, base);
    }
  }

  private void fetch(Superstep superstep, long base) {
    for (int e = 0; e < superstep.partSize(); e++) {
      long index = base + superstep.offset(e);
      if (index < n) {
        local[e] = keys.getAtIndex(KEY, index);
      }
    }
  }

  private void runStep(Superstep superstep, long base, Step step) {
    int c = superstep.localBit(step.bit());
    long lastBlock = (n - 1) >>> step.stage();
    for (int j = 0; j < superstep.partSize() / 2; j++) {
      int p = insertBit(j, 0, c);
      int q = insertBit(j, 1, c);
      if (base + superstep.offset(q) < n) {
        long block = (base + superstep.offset(p)) >>> step.stage();
        compareAndSwap(p, q, (block & 1) == 1 || block == lastBlock);
      }
    }
  }

  /** The paper's InsAt: the number with bit x put in at position c. */
  private static int insertBit(int number, int x, int c) {
    int below = number & ((1 << c) - 1);
    return (number >>> c << 1 | x) << c | below;
  }

  private void compareAndSwap(int p, int q, boolean ascending) {
    long a = local[p];
    long b = local[q];
    if (Long.compareUnsigned(a, b) > 0 == ascending) {
      local[p] = b;
      local[q] = a;
    }
  }

  private void putBack(Superstep superstep, long base) {
    for (int e = 0; e < superstep.partSize(); e++) {
      long index = base + superstep.offset(e);
      if (index < n) {
        keys.setAtIndex(KEY, index, local[e]);
      }
    }
  }
}
