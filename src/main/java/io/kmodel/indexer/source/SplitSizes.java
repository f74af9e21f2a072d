package io.kmodel.indexer.source;

/**
 * How large the splits of a crawl are to be, in its order.
 *
 * <p>The first ones are smaller, each a little larger than the one before: threads that start
 * together do not come to their ends together, all of them to code that Java has not compiled yet,
 * and to the same disk. The last ones are smaller, too, so that the threads end together: each is a
 * thread's share of what is left, but no smaller than a quarter of a full one, or, of large crawls
 * that many threads read, than what is read soon. So there are a little over four splits for each
 * thread, or up to six.
 *
 * @param allBytes in the crawl
 * @param fullBytes in a split that is neither of the first nor of the last ones, at least 1
 */
record SplitSizes(long allBytes, long fullBytes) {
  /** The last splits are no smaller than a full one divided by this, if that is little. */
  static final int SMALLEST = 4;

  /** What the others may wait for at the end, while a thread reads it. */
  private static final long WAITED_FOR_BYTES = 24L << 20;

  /** Where a quarter is more than that, the last splits have no less than this. */
  private static final long LEAST_BYTES = 12L << 20;

  /**
   * With fewer, smaller last splits gain nothing, and each is one more segment of a Lucene index.
   * Of crawls over some 20 GiB, full splits of which are the largest that there are, few threads
   * count as many.
   */
  private static final int MANY_THREADS = 8;

  /**
   * Until the size of splits has halved once more, there are 0.7 of them for each thread. So those
   * of up to 16 threads go down to a sixteenth, of more threads not as far.
   */
  private static final int THREADS_OF_SMALL = 64;

  /** Into how many a quarter is divided at most. */
  private static final int PARTS_OF_A_QUARTER = 4;

  /**
   * A crawl of so many full splits has fewer than 512 of all sizes, which are merged in one go;
   * with {@link LeadingSplits} one of terabytes has one or two more.
   */
  private static final int MOST_FULL = 300;

  /** How many full splits a thread would have if all were. */
  private static final double FULL_PER_THREAD = 2.5;

  /** With few threads, runs would be large: more memory, and more work lost if a build fails. */
  private static final int FEWEST_FULL = 8;

  /** A split that was not read to its end is lost with the process: some ten seconds' work. */
  private static final long LARGEST_BYTES = 1L << 30;

  /** The first splits are no smaller than a full one divided by this. */
  private static final int MAX_STEPS = 32;

  SplitSizes {
    if (fullBytes < 1) {
      throw new IllegalArgumentException("fullBytes must be at least 1; got " + fullBytes);
    }
  }

  /** How many bytes a full split has if so many threads read a crawl, at least 1. */
  static long fullBytes(long allBytes, int threads) {
    long sideBySide = Math.max(FEWEST_FULL, (long) Math.ceil(threads * FULL_PER_THREAD));
    long wanted = Math.max(sideBySide, allBytes / LARGEST_BYTES);
    return Math.max(1, allBytes / Math.min(wanted, MOST_FULL));
  }

  /**
   * Bytes of a split, at least 1.
   *
   * @param split its ordinal, if all splits are of these sizes; see {@link #ordinalAfter}
   * @param before bytes in those before it
   */
  long bytes(int split, long before) {
    long threads = threads();
    long steps = Math.min(threads, MAX_STEPS);
    if (split < steps - 1) {
      return Math.max(1, fullBytes / steps * (split + 1));
    }
    long share = (allBytes - before) / threads;
    return Math.max(1, Math.min(fullBytes, Math.max(share, smallest())));
  }

  /** What the last splits have at least. */
  long smallest() {
    if (fullBytes / SMALLEST <= WAITED_FOR_BYTES || threads() < MANY_THREADS) {
      return fullBytes / SMALLEST;
    }
    int parts = SMALLEST * Math.clamp(THREADS_OF_SMALL / threads(), 1, PARTS_OF_A_QUARTER);
    return Math.max(fullBytes / parts, LEAST_BYTES);
  }

  /** The ordinal at which splits that ascend have so many bytes before them, or a little more. */
  int ordinalAfter(long bytes) {
    int split = 0;
    long steps = Math.min(threads(), MAX_STEPS);
    for (long before = 0; before < bytes && split < steps; split++) {
      before += bytes(split, before);
    }
    return split;
  }

  /** Whether a file is no less than a thread's share of the crawl, so that it should be cut. */
  boolean isShare(long fileBytes) {
    return fileBytes >= allBytes / threads();
  }

  /** For how many threads a full split has this size. */
  long threads() {
    double full = Math.min(MOST_FULL, (double) allBytes / fullBytes);
    return Math.max(1, (long) (full / FULL_PER_THREAD));
  }
}
