package io.kmodel.indexer.sort;

import io.kmodel.indexer.memory.OffHeap;
import java.lang.foreign.MemorySegment;

/** Whether a sort has done what it should, in one pass over the memory. */
public final class KeyCheck {
  private static final int KEY_BYTES = 8;

  private KeyCheck() {}

  /**
   * Whether {@code sorted} holds the same keys in ascending order. That they are the same is told
   * by a sum over their hashes, which other keys have once in 2^64 times or so.
   *
   * @param keys native-order u64, none negative
   */
  public static boolean isSorted(MemorySegment keys, MemorySegment sorted, long count) {
    long difference = 0;
    long previous = Long.MIN_VALUE;
    long aside = sorted.address() - keys.address();
    long end = keys.address() + KEY_BYTES * count;
    for (long at = keys.address(); at < end; at += KEY_BYTES) {
      long key = OffHeap.getLong(at + aside);
      if (key < previous) {
        return false;
      }
      previous = key;
      difference += mixed(key) - mixed(OffHeap.getLong(at));
    }
    return difference == 0;
  }

  public static boolean isAscending(MemorySegment keys, long count) {
    long previous = Long.MIN_VALUE;
    long end = keys.address() + KEY_BYTES * count;
    for (long at = keys.address(); at < end; at += KEY_BYTES) {
      long key = OffHeap.getLong(at);
      if (key < previous) {
        return false;
      }
      previous = key;
    }
    return true;
  }

  /** A sum that does not depend on the order. */
  public static long sum(MemorySegment keys, long count) {
    long sum = 0;
    long end = keys.address() + KEY_BYTES * count;
    for (long at = keys.address(); at < end; at += KEY_BYTES) {
      sum += mixed(OffHeap.getLong(at));
    }
    return sum;
  }

  private static long mixed(long key) {
    long product = key * 0x9E3779B97F4A7C15L;
    return product ^ product >>> 32;
  }
}
