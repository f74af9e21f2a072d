package io.kmodel.indexer.experiment;

import java.lang.foreign.MemorySegment;

/** A sorter in a race. Loading and unloading are not timed. */
public interface SortContestant extends AutoCloseable {
  /** How tables call it. */
  String name();

  /** Takes the keys to where it sorts them. */
  void load(MemorySegment keys);

  /** Sorts what was loaded; this is timed. */
  void sort();

  /** Writes what it sorted back over the keys, for the check. */
  void unload(MemorySegment keys);

  @Override
  void close();
}
