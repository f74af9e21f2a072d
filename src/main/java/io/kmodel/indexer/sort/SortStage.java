package io.kmodel.indexer.sort;

import java.lang.foreign.MemorySegment;

/**
 * Where a build has its runs put in order: by the thread that asks, or by a device on the side
 * while that thread goes on. Safe for many threads. Whatever goes wrong with a device, the keys
 * come back in order: the CPU sorts them then.
 */
public interface SortStage extends AutoCloseable {
  /**
   * Keys to sort, all of them in the low {@code highBit} bits.
   *
   * @param keys native-order u64
   * @param count number of keys
   * @param scratch as large as the keys, contents free
   * @param orderedBits keys that agree in the bits from here up are in order already
   * @param highBit at most 62
   * @param mayBeLeft whether the CPU need not sort them: who asks has a faster way then
   */
  record Job(
      MemorySegment keys,
      MemorySegment scratch,
      long count,
      int orderedBits,
      int highBit,
      boolean mayBeLeft) {
    /** Keys that are to be sorted wherever that is. */
    public Job(
        MemorySegment keys, MemorySegment scratch, long count, int orderedBits, int highBit) {
      this(keys, scratch, count, orderedBits, highBit, false);
    }
  }

  /**
   * What became of a job.
   *
   * @param keys where the sorted keys are: the job's keys, or its scratch
   * @param scratch memory that is as large and free again; not always the job's
   * @param isLeft whether the keys are as they were, which only a job may be that allows for it
   */
  record Sorted(MemorySegment keys, MemorySegment scratch, boolean isLeft) {
    /** Keys in order. */
    public Sorted(MemorySegment keys, MemorySegment scratch) {
      this(keys, scratch, false);
    }
  }

  /** A sort that was asked for. Until it has ended, the job's memory is the stage's. */
  interface Ticket {
    /** Waits for the sort to end, and ends it itself where that takes the CPU. */
    Sorted await() throws InterruptedException;

    /** Waits, without an end to interrupts but not for ever, until nobody writes to the memory. */
    void settle();
  }

  /**
   * Asks for a sort; returns at once where a device does it. A stage that has another do it hands
   * on what that one says became of the job, or gives it one that may not be left.
   */
  Ticket submit(Job job);

  /**
   * Whether sorts go on aside, so that a thread with another buffer need not wait, or may do so as
   * soon as devices are open: it may become false, and not true again.
   */
  boolean isAside();

  /**
   * Most keys of a job that do not have to be left to the CPU; fewer when devices are open, and
   * more when some of them were given up.
   */
  long largestJob();

  /**
   * Tells the stage that this memory, which holds keys and scratch of settled jobs, is about to be
   * freed. Waits for devices, not for ever.
   *
   * @return whether it may be; false if a device that is lost may still write to it, or the driver,
   *     which waits for that one, not give it back
   */
  boolean release(MemorySegment memory);

  /** Names who is told of what devices do; nobody else is from then on. */
  default void observe(DeviceListener listener) {}

  /** What it has done so far. */
  SortReport report();

  @Override
  void close();
}
