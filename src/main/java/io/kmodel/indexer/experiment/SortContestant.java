package io.kmodel.indexer.experiment;

import java.lang.foreign.MemorySegment;

/** A sorter in a race. Loading and unloading are not timed. */
public interface SortContestant extends AutoCloseable {
  /** Its name in tables. */
  String name();

  /** Copies the keys to the memory in which it sorts. */
  void load(MemorySegment keys);

  /** Sorts the loaded keys; only this is timed. */
  void sort();

  /** Sorts, and returns how long it took, in nanoseconds. */
  default long timedSort() {
    long start = System.nanoTime();
    sort();
    return System.nanoTime() - start;
  }

  /** Writes the sorted keys back for the check. */
  void unload(MemorySegment keys);

  @Override
  void close();
}
