package io.kmodel.indexer.sort;

import java.lang.foreign.MemorySegment;

/** Sorts packed 64-bit keys in memory, in the calling thread. */
public interface KeySorter extends KeyOrder {
  /**
   * Sorts keys by their bits from {@code lowBit} up. If the sorter {@link #isStable() is not
   * stable}, keys that agree in those bits may end in any order; callers then pass lowBit 0.
   *
   * @param keys native-order u64, aligned to 8 bytes; bits at or above highBit are zero
   * @param count number of keys
   * @param scratch at least as large as the keys, contents free before and after
   * @param lowBit 0 to highBit
   * @param highBit at most 62
   */
  void sort(MemorySegment keys, long count, MemorySegment scratch, int lowBit, int highBit);

  /**
   * Whether keys with equal bits keep their order, so that bits already in order can be skipped.
   */
  boolean isStable();

  @Override
  default Ticket submit(Job job) {
    int lowBit = isStable() ? job.orderedBits() : 0;
    sort(job.keys(), job.count(), job.scratch(), lowBit, job.highBit());
    return Ticket.ended(new SortedKeys(job.keys(), job.scratch()));
  }
}
