package io.kmodel.indexer.sort;

import java.lang.foreign.MemorySegment;

/**
 * What puts the runs of a build in order: the submitting thread, or devices while that thread fills
 * its other buffer. Safe for many threads. If anything fails on a device, the keys are still there
 * and the CPU puts them in order.
 */
public interface SortStage extends KeyOrder, AutoCloseable {
  /**
   * Whether devices order keys while the submitting thread continues, or may do so once they are
   * open. May change from true to false, but not back.
   */
  boolean isAside();

  /**
   * The most keys that a device takes in one job. Shrinks when devices have been opened, and grows
   * when some of them have been given up.
   */
  long largestJob();

  /**
   * Tells the stage that this memory, which held the keys and scratch of settled jobs, is about to
   * be freed. Waits for devices, but for a limited time.
   *
   * @return whether it may be freed; false if a lost device may still write to it, or if the driver
   *     cannot unpin it because it waits for that device
   */
  boolean release(MemorySegment memory);

  /** Replaces the listener that is told what devices do. */
  default void observe(DeviceListener listener) {}

  /** What the stage has done so far. */
  SortReport report();

  @Override
  void close();
}
