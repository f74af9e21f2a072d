package io.kmodel.indexer.experiment;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;

/** How the keys to sort are spread over the values that their bits allow. */
public enum KeyDistribution {
  UNIFORM,

  /** Around the middle; the standard deviation is an eighth of the range. */
  GAUSSIAN,

  /** A key's probability falls as the key grows, as a term's does with its rank. */
  ZIPF,

  ALL_EQUAL,
  SORTED,
  REVERSED;

  /**
   * Fills memory with keys; the same for the same arguments.
   *
   * @param bits that the keys have, 1 to 62
   */
  public void fill(MemorySegment keys, long count, int bits, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (long i = 0; i < count; i++) {
      keys.setAtIndex(ValueLayout.JAVA_LONG, i, key(random, i, count, bits));
    }
  }

  private long key(SplittableRandom random, long index, long count, int bits) {
    long range = 1L << bits;
    return switch (this) {
      case UNIFORM -> random.nextLong(range);
      case GAUSSIAN -> within(range, range / 2.0 + random.nextGaussian() * (range / 8.0));
      case ZIPF -> within(range, Math.pow(2, bits * random.nextDouble()) - 1);
      case ALL_EQUAL -> range / 3;
      case SORTED -> within(range, index * ((double) range / count));
      case REVERSED -> within(range, (count - 1 - index) * ((double) range / count));
    };
  }

  private static long within(long range, double value) {
    return Math.clamp((long) value, 0, range - 1);
  }
}
