package io.kmodel.indexer.sort;

import io.kmodel.indexer.memory.OffHeap;
import java.lang.foreign.MemorySegment;

/**
 * Checks that a sorter returned the keys it was given, in ascending order. Two sums stand for the
 * keys: the plain sum, and a sum of hashes. Other keys have the same sum of hashes about once in
 * 2^64 cases.
 *
 * @param sum of the keys
 * @param mixedSum of the keys' hashes
 */
public record KeyCheck(long sum, long mixedSum) {
  private static final int KEY_BYTES = 8;

  /**
   * Records the keys before they are sorted.
   *
   * @param keys native-order u64, outside the heap
   */
  public static KeyCheck of(MemorySegment keys, long count) {
    long sum = 0;
    long mixedSum = 0;
    long end = keys.address() + KEY_BYTES * count;
    for (long at = keys.address(); at < end; at += KEY_BYTES) {
      long key = OffHeap.getLong(at);
      sum += key;
      mixedSum += mixed(key);
    }
    return new KeyCheck(sum, mixedSum);
  }

  /**
   * Compares a sorter's result with these sums.
   *
   * @param sorter named in messages
   * @throws IllegalStateException if the keys are out of order or not the recorded ones
   */
  public void verify(String sorter, MemorySegment keys, long count) {
    long previous = Long.MIN_VALUE;
    for (long i = 0; i < count; i++) {
      long key = OffHeap.getLong(keys.address() + KEY_BYTES * i);
      if (previous > key) {
        throw new IllegalStateException(
            "%s did not sort: key %d is %d, after %d".formatted(sorter, i, key, previous));
      }
      previous = key;
    }
    KeyCheck actual = of(keys, count);
    if (!actual.equals(this)) {
      throw new IllegalStateException(
          "%s changed keys: expected %s, got %s".formatted(sorter, this, actual));
    }
  }

  /**
   * Whether {@code sorted} holds the same keys in ascending order, in one pass over both.
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

  private static long mixed(long key) {
    long product = key * 0x9E3779B97F4A7C15L;
    return product ^ product >>> 32;
  }
}
