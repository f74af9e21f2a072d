package io.kmodel.indexer.experiment;

import io.kmodel.indexer.memory.OffHeap;
import java.lang.foreign.MemorySegment;

/** How keys of an experiment are distributed over the 62 bits of packed keys. */
public enum Distribution {
  UNIFORM,
  GAUSSIAN,
  /** Like terms of a text: term numbers of 22 bits above ascending positions. */
  ZIPF,
  EQUAL,
  SORTED,
  REVERSED;

  private static final int BITS = 62;

  void fill(MemorySegment keys, long count, long seed) {
    for (long i = 0; i < count; i++) {
      OffHeap.putLong(keys.address() + 8 * i, key(i, count, seed));
    }
  }

  private long key(long i, long count, long seed) {
    long random = mix(i + (seed << 40));
    return switch (this) {
      case UNIFORM -> random >>> (Long.SIZE - BITS);
      case GAUSSIAN ->
          (random >>> 4) + (mix(random) >>> 4) + (mix(random + 1) >>> 4) + (mix(random + 2) >>> 4);
      case ZIPF -> (long) Math.pow(2, 22 * ((random >>> 11) * 0x1p-53)) << 40 | i;
      case EQUAL -> 42;
      case SORTED -> i;
      case REVERSED -> count - i;
    };
  }

  /** A hash in which every bit depends on all bits of the number. */
  private static long mix(long number) {
    long x = number + 0x9E3779B97F4A7C15L;
    x = (x ^ x >>> 30) * 0xBF58476D1CE4E5B9L;
    x = (x ^ x >>> 27) * 0x94D049BB133111EBL;
    return x ^ x >>> 31;
  }
}
