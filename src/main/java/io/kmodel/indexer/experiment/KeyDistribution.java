package io.kmodel.indexer.experiment;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;

/**
 * How the keys to sort are distributed over the values that their bits allow. {@code AND_k} is the
 * bitwise AND of k random words (Thearling and Smith, An Improved Supercomputer Sorting Benchmark,
 * 1992; Satish et al., section 6): each bit is 1 with probability 2^-k and has less than one bit of
 * entropy. UNIFORM corresponds to one word, ALL_EQUAL to very many.
 */
public enum KeyDistribution {
  UNIFORM,

  /** 0.811 bits of entropy per bit: 26.0 at 32 bits. */
  AND_2,

  /** 0.544 bits of entropy per bit: 17.4 at 32 bits. */
  AND_3,

  /** 0.337 bits of entropy per bit: 10.8 at 32 bits. */
  AND_4,

  /** 0.201 bits of entropy per bit: 6.4 at 32 bits. */
  AND_5,

  /** Around the middle of the range, with a standard deviation of an eighth of it. */
  GAUSSIAN,

  /** The probability of a key falls with its value, like that of a term with its rank. */
  ZIPF,

  ALL_EQUAL,
  SORTED,
  REVERSED;

  /** Keys that one random generator makes, so that several threads can fill memory. */
  private static final long PIECE = 1 << 20;

  /**
   * Fills memory with keys, by all processors; deterministic for the same arguments.
   *
   * @param bits width of the keys, 1 to 62
   */
  public void fill(MemorySegment keys, long count, int bits, long seed) {
    ManyKeys.forEachPiece(
        count,
        PIECE,
        (first, last) -> {
          SplittableRandom random = new SplittableRandom(seed + ((first / PIECE) << 32));
          for (long i = first; i < last; i++) {
            keys.setAtIndex(ValueLayout.JAVA_LONG, i, key(random, i, count, bits));
          }
        });
  }

  private long key(SplittableRandom random, long index, long count, int bits) {
    long range = 1L << bits;
    return switch (this) {
      case UNIFORM -> random.nextLong(range);
      case AND_2 -> common(random, range, 2);
      case AND_3 -> common(random, range, 3);
      case AND_4 -> common(random, range, 4);
      case AND_5 -> common(random, range, 5);
      case GAUSSIAN -> within(range, range / 2.0 + random.nextGaussian() * (range / 8.0));
      case ZIPF -> within(range, Math.pow(2, bits * random.nextDouble()) - 1);
      case ALL_EQUAL -> range / 3;
      case SORTED -> within(range, index * ((double) range / count));
      case REVERSED -> within(range, (count - 1 - index) * ((double) range / count));
    };
  }

  private static long common(SplittableRandom random, long range, int words) {
    long key = range - 1;
    for (int word = 0; word < words; word++) {
      key &= random.nextLong();
    }
    return key;
  }

  private static long within(long range, double value) {
    return Math.clamp((long) value, 0, range - 1);
  }
}
