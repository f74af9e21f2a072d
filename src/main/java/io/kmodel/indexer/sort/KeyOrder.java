package io.kmodel.indexer.sort;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Puts the packed keys of a run in the order of their terms. Everything that orders keys implements
 * this: {@link CountingOrder}, every {@link KeySorter}, and the {@link SortStage}s, which pass a
 * run to devices. {@link SortStages} chooses.
 */
@FunctionalInterface
public interface KeyOrder {
  /**
   * The keys of a run. A key's bits from {@code orderedBits} up are its termID.
   *
   * @param keys native-order u64, all of them below 2^highBit
   * @param scratch as large as the keys; its contents are not used
   * @param count number of keys
   * @param orderedBits keys of the same term are already in the order of the bits below this one
   * @param highBit at most 62
   * @param counters {@link CountingOrder#COUNTER_BYTES} for each term, aligned to 8 bytes; null if
   *     the keys must be sorted in memory and cannot be counted
   */
  record Job(
      MemorySegment keys,
      MemorySegment scratch,
      long count,
      int orderedBits,
      int highBit,
      @Nullable MemorySegment counters) {
    /** Keys that must be sorted. */
    public Job(
        MemorySegment keys, MemorySegment scratch, long count, int orderedBits, int highBit) {
      this(keys, scratch, count, orderedBits, highBit, null);
    }

    /** The same keys with other scratch memory. */
    Job withScratch(MemorySegment other) {
      return new Job(keys, other, count, orderedBits, highBit, counters);
    }
  }

  /** A started job. Until it has ended, the job's memory must not be used. */
  interface Ticket {
    /**
     * Waits until the keys are in order. If a device failed, the calling thread orders the keys
     * itself.
     */
    OrderedKeys await() throws InterruptedException;

    /**
     * Waits until nothing writes to the job's memory any more. Ignores interrupts, but returns in
     * limited time.
     */
    void settle();

    /** The ticket of a job that has already ended. */
    static Ticket ended(OrderedKeys keys) {
      return new EndedTicket(keys);
    }
  }

  /**
   * Starts a job. Returns at once if a device does it; otherwise the calling thread has put the
   * keys in order when this returns.
   */
  Ticket submit(Job job);
}
