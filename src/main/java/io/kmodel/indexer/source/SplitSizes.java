package io.kmodel.indexer.source;

/**
 * How large the splits of a crawl are to be, in its order.
 *
 * <p>The first ones are smaller, each a little larger than the one before: threads that start
 * together do not come to their ends together, all of them to code that Java has not compiled yet,
 * and to the same disk. The last ones are smaller, too, so that the threads end together: a split
 * is no larger than a thread's share of what is left, or a quarter of a full one.
 *
 * @param all bytes of the crawl
 * @param full bytes of a split between those
 * @param threads so many are expected to read side by side
 */
record SplitSizes(long all, long full, int threads) {
  /** The last splits are no smaller than so many to a full one. */
  static final int SMALLEST = 4;

  /** More threads share what there is as so many do. */
  static final int MAX_THREADS = 32;

  /** Sizes for as many threads as need {@link Crawl#FULL_SPLITS_PER_THREAD} of the splits each. */
  static SplitSizes of(long all, long full) {
    double threads = (double) all / full / Crawl.FULL_SPLITS_PER_THREAD;
    return new SplitSizes(all, full, (int) Math.max(1, Math.min(MAX_THREADS, threads)));
  }

  /**
   * Bytes of a split, at least 1.
   *
   * @param split its ordinal
   * @param before bytes in those before it
   */
  long bytes(int split, long before) {
    if (split < threads - 1) {
      return Math.max(1, full / threads * (split + 1));
    }
    long share = (all - before) / threads;
    return Math.max(1, Math.min(full, Math.max(share, full / SMALLEST)));
  }
}
