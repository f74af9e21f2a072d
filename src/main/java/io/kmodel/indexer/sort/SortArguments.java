package io.kmodel.indexer.sort;

import java.lang.foreign.MemorySegment;

/** The checks that every sorter makes of its arguments. */
public final class SortArguments {
  private SortArguments() {}

  public static void check(
      MemorySegment keys, long count, MemorySegment scratch, int lowBit, int highBit) {
    if (lowBit < 0 || lowBit > highBit || highBit > 62) {
      throw new IllegalArgumentException(
          "bits must be within 0..62; got %d..%d".formatted(lowBit, highBit));
    }
    if (count < 0 || count > Math.min(keys.byteSize(), scratch.byteSize()) / Long.BYTES) {
      throw new IllegalArgumentException(
          "%d keys do not fit %d bytes of keys and %d of scratch"
              .formatted(count, keys.byteSize(), scratch.byteSize()));
    }
    if (!keys.isNative() || !scratch.isNative()) {
      throw new IllegalArgumentException("keys and scratch must lie outside the heap");
    }
  }
}
