package io.kmodel.indexer.sort;

import java.lang.foreign.MemorySegment;

/**
 * Keys that were sorted in memory.
 *
 * @param keys the memory that holds them
 * @param scratch memory of the same size that is free again
 * @param byDevice whether a device sorted them
 */
public record SortedKeys(MemorySegment keys, MemorySegment scratch, boolean byDevice)
    implements OrderedKeys {
  /** Keys that the CPU sorted. */
  public SortedKeys(MemorySegment keys, MemorySegment scratch) {
    this(keys, scratch, false);
  }
}
