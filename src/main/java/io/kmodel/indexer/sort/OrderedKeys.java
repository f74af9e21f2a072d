package io.kmodel.indexer.sort;

import java.lang.foreign.MemorySegment;

/** The result of a {@link KeyOrder}: keys sorted in memory, or counted and ready to be moved. */
public sealed interface OrderedKeys permits SortedKeys, CountedKeys {
  /** The memory that holds the keys: the job's keys or its scratch. */
  MemorySegment keys();

  /** Memory of the same size that is free again; not always the job's. */
  MemorySegment scratch();

  /** Whether a device ordered the keys, so that the thread only waited for it. */
  boolean byDevice();
}
