package io.kmodel.indexer.source;

/**
 * How large the splits of a crawl are to be, in its order.
 *
 * <p>The first ones are smaller, each a little larger than the one before: threads that start
 * together do not come to their ends together, all of them to code that Java has not compiled yet,
 * and to the same disk. The last ones are smaller, too, so that the threads end together: each is a
 * thread's share of what is left, but no smaller than a quarter of a full one. So there are a
 * little over four splits for each thread.
 *
 * @param all bytes of the crawl
 * @param full bytes of a split that is neither of the first nor of the last ones, at least 1
 * @param threads so many are expected to read side by side, at least 1
 */
record SplitSizes(long all, long full, int threads) {
  /** The last splits are no smaller than a full one divided by this. */
  static final int SMALLEST = 4;

  /** A crawl of so many full splits has fewer than 512 of all sizes, which are merged in one go. */
  static final int MOST_FULL = 300;

  /** How many full splits a thread would have if all were. */
  private static final double FULL_PER_THREAD = 2.5;

  /** With few threads, runs would be large: more memory, and more work lost if a build fails. */
  private static final int FEWEST_FULL = 8;

  /** A split that was not read to its end is lost with the process: some ten seconds' work. */
  private static final long LARGEST_BYTES = 1L << 30;

  /** The first splits are no smaller than a full one divided by this. */
  private static final int MAX_STEPS = 32;

  SplitSizes {
    if (full < 1 || threads < 1) {
      throw new IllegalArgumentException(
          "full and threads must be at least 1; got %d and %d".formatted(full, threads));
    }
  }

  /** How many bytes a full split has in a crawl of {@code all} bytes, at least 1. */
  static long fullBytes(long all, int threads) {
    long sideBySide = Math.max(FEWEST_FULL, (long) Math.ceil(threads * FULL_PER_THREAD));
    return Math.max(1, all / Math.min(Math.max(sideBySide, all / LARGEST_BYTES), MOST_FULL));
  }

  /** Sizes for the threads that this size of a full split is meant for. */
  static SplitSizes of(long all, long full) {
    double threads = (double) all / full / FULL_PER_THREAD;
    int most = (int) (MOST_FULL / FULL_PER_THREAD);
    return new SplitSizes(all, full, (int) Math.max(1, Math.min(most, threads)));
  }

  /**
   * Bytes of a split, at least 1.
   *
   * @param split its ordinal
   * @param before bytes in those before it
   */
  long bytes(int split, long before) {
    int steps = Math.min(threads, MAX_STEPS);
    if (split < steps - 1) {
      return Math.max(1, full / steps * (split + 1));
    }
    long share = (all - before) / threads;
    return Math.max(1, Math.min(full, Math.max(share, full / SMALLEST)));
  }
}
