package io.kmodel.indexer.sort;

import java.lang.foreign.MemorySegment;

/** Puts packed 64-bit keys in order. The CPU and GPU twins stand behind this. */
public interface KeySorter {
  /**
   * Sorts keys by their bits from {@code lowBit} up. Keys that agree in those bits may end in any
   * order unless {@link #isStable()}; callers with an unstable sorter pass lowBit 0.
   *
   * @param keys native-order u64, aligned to 8 bytes; bits at or above highBit are zero
   * @param count number of keys
   * @param scratch at least as large as the keys, contents free before and after
   * @param lowBit 0 to highBit
   * @param highBit at most 62
   */
  void sort(MemorySegment keys, long count, MemorySegment scratch, int lowBit, int highBit);

  /** Whether equal bits keep their order, so that bits known to be in order can be left out. */
  boolean isStable();

  /** How reports call it. */
  String name();
}
