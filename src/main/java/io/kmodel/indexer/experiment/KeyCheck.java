package io.kmodel.indexer.experiment;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Verifies that sorted keys are the original ones: ascending, and with the same sum of keys and the
 * same sum of mixed keys.
 */
record KeyCheck(long sum, long mixedSum) {
  static KeyCheck of(MemorySegment keys, long count) {
    long sum = 0;
    long mixedSum = 0;
    for (long i = 0; i < count; i++) {
      long key = keys.getAtIndex(ValueLayout.JAVA_LONG, i);
      sum += key;
      long mixed = (key ^ key >>> 32) * 0x9E3779B97F4A7C15L;
      mixedSum += mixed ^ mixed >>> 29;
    }
    return new KeyCheck(sum, mixedSum);
  }

  /**
   * Checks the output of a sorter.
   *
   * @throws IllegalStateException if the keys are not in order or not the same
   */
  void verify(String sorter, MemorySegment keys, long count) {
    for (long i = 1; i < count; i++) {
      long before = keys.getAtIndex(ValueLayout.JAVA_LONG, i - 1);
      long key = keys.getAtIndex(ValueLayout.JAVA_LONG, i);
      if (before > key) {
        throw new IllegalStateException(
            "%s did not sort: key %d is %d, after %d".formatted(sorter, i, key, before));
      }
    }
    KeyCheck actual = of(keys, count);
    if (!actual.equals(this)) {
      throw new IllegalStateException(
          "%s changed keys: expected %s, got %s".formatted(sorter, this, actual));
    }
  }
}
