package io.kmodel.indexer.source.crawl;

import io.kmodel.indexer.source.record.RecordFile;

/**
 * The sizes of a crawl's splits, in order.
 *
 * <p>The first splits are smaller, each slightly larger than the one before. Threads that start
 * together then do not finish their splits together, and do not all reach code that is not compiled
 * yet, or the same disk, at the same time. The last splits are smaller, too, so that the threads
 * finish together. Each is a thread's share of the rest, but has a minimum: a quarter of a full
 * split, or less for large crawls and many threads. There are slightly over four splits per thread,
 * or up to six.
 *
 * <p>Alternatively all splits have the same size, for builds that gain more by few runs than they
 * lose by threads that wait.
 *
 * @param allBytes in the crawl
 * @param fullBytes in a split other than the first and the last ones, at least 1
 * @param even whether all splits have that size
 * @param shares whether splits may be pieces of decompressed data, which their readers share
 */
record SplitSizes(long allBytes, long fullBytes, boolean even, boolean shares) {
  /** The last splits are no smaller than a full one divided by this, if the result is small. */
  static final int SMALLEST = 4;

  /** What one thread may still read at the end while the others wait for it. */
  private static final long WAITED_FOR_BYTES = 24L << 20;

  /**
   * The minimum of the last splits, if a quarter of a full one is more than {@link
   * #WAITED_FOR_BYTES}.
   */
  private static final long LEAST_BYTES = 12L << 20;

  /**
   * With fewer threads, smaller last splits gain nothing, and each is one more segment of a Lucene
   * index. In crawls over some 20 GiB, whose full splits have the maximum size, few threads count
   * as many.
   */
  private static final int MANY_THREADS = 8;

  /**
   * There are 0.7 splits per thread before their size has halved again. So with up to 16 threads,
   * sizes go down to a sixteenth; with more threads, not as far.
   */
  private static final int THREADS_OF_SMALL = 64;

  /** The most parts that a quarter is divided into. */
  private static final int PARTS_OF_A_QUARTER = 4;

  /**
   * A crawl of this many full splits has fewer than 512 splits of all sizes, which are merged in
   * one pass; with {@link LeadingSplits}, a crawl of terabytes has one or two more.
   */
  private static final int MOST_FULL = 300;

  /** Full splits per thread, if all splits were full. */
  private static final double FULL_PER_THREAD = 2.5;

  /**
   * With few threads, runs would be too large: more memory, and more work lost if a build fails.
   */
  private static final int FEWEST_FULL = 8;

  /** A split that was not read to its end is lost with the process: some ten seconds of work. */
  private static final long LARGEST_BYTES = 1L << 30;

  /** The first splits are no smaller than a full one divided by this. */
  private static final int MAX_STEPS = 32;

  /**
   * Even splits may be smaller or larger than a full one by this part of it, if files are not to be
   * cut for that.
   */
  private static final int TOLERANCE = 8;

  SplitSizes(long allBytes, long fullBytes) {
    this(allBytes, fullBytes, false, true);
  }

  SplitSizes {
    if (fullBytes < 1) {
      throw new IllegalArgumentException("fullBytes must be at least 1; got " + fullBytes);
    }
  }

  /** Bytes of a full split if {@code threads} threads read a crawl, at least 1. */
  static long fullBytes(long allBytes, int threads) {
    long sideBySide = Math.max(FEWEST_FULL, (long) Math.ceil(threads * FULL_PER_THREAD));
    long wanted = Math.max(sideBySide, allBytes / LARGEST_BYTES);
    return Math.max(1, allBytes / Math.min(wanted, MOST_FULL));
  }

  /** The same number of equal splits for each of {@code threads} threads, of at most some bytes. */
  static SplitSizes even(long allBytes, int threads, long mostBytes) {
    long rounds = Math.max(1, Math.ceilDiv(allBytes, threads * mostBytes));
    return new SplitSizes(
        allBytes, Math.max(1, Math.ceilDiv(allBytes, threads * rounds)), true, true);
  }

  /**
   * Splits of about so many bytes, which separate processes can read.
   *
   * @param equal whether none are smaller, not even the last ones
   */
  static SplitSizes ofParts(long allBytes, long bytes, boolean equal) {
    return new SplitSizes(
        allBytes, equal ? even(allBytes, 1, bytes).fullBytes : bytes, equal, false);
  }

  /**
   * Bytes of a split, at least 1.
   *
   * @param split its ordinal, if all splits have these sizes; see {@link #ordinalAfter}
   * @param before bytes in the splits before it
   */
  long bytes(int split, long before) {
    if (even) {
      return fullBytes;
    }
    long threads = threads();
    long steps = Math.min(threads, MAX_STEPS);
    if (split < steps - 1) {
      return Math.max(1, fullBytes / steps * (split + 1));
    }
    long share = (allBytes - before) / threads;
    return Math.max(1, Math.min(fullBytes, Math.max(share, smallest())));
  }

  /** The minimum size of the last splits. */
  long smallest() {
    if (fullBytes / SMALLEST <= WAITED_FOR_BYTES || threads() < MANY_THREADS) {
      return fullBytes / SMALLEST;
    }
    int parts = SMALLEST * Math.clamp(THREADS_OF_SMALL / threads(), 1, PARTS_OF_A_QUARTER);
    return Math.max(fullBytes / parts, LEAST_BYTES);
  }

  /** How much an even split may be smaller or larger. */
  private static long tolerance(long bytes) {
    return bytes / TOLERANCE;
  }

  /**
   * Bytes from which on a split may end. Even splits of whole files end near their size, and make
   * up for earlier ones that were too small or too large, so that the number of splits is right.
   *
   * @param splits that were made before
   * @param before bytes in these
   * @param nextBytes of the next file
   */
  long enough(long wanted, int splits, long before, long nextBytes) {
    if (!even) {
      return wanted;
    }
    long most = tolerance(wanted);
    long due = wanted + Math.clamp(wanted * splits - before, -most, most);
    return due - Math.min(nextBytes / 2, most);
  }

  /** Whether a split of whole files ends before the next file, with which it would be too large. */
  boolean endsBefore(long bytes, long fileBytes, long wanted) {
    return even && bytes > 0 && exceeds(bytes + fileBytes, wanted);
  }

  /** Whether a file that should be in a split of so many bytes is to be cut. */
  boolean exceeds(long fileBytes, long wanted) {
    return fileBytes > (even ? wanted + tolerance(wanted) : wanted);
  }

  /** The size of a file's pieces, if a split has so many bytes: equal ones if splits are even. */
  long pieceBytes(long fileBytes, long wanted) {
    return even ? Math.ceilDiv(fileBytes, evenPieces(fileBytes, wanted)) : wanted;
  }

  /** As few equal pieces as do not exceed the size by too much. */
  private static long evenPieces(long fileBytes, long wanted) {
    return Math.max(
        Math.round((double) fileBytes / wanted),
        Math.ceilDiv(fileBytes, wanted + tolerance(wanted)));
  }

  /** The cells of a piece of about so many bytes, at least 1. */
  long cells(long bytes) {
    // Rounded down, even pieces would leave a small one.
    return even
        ? Math.ceilDiv(bytes, RecordFile.CELL_BYTES)
        : Math.max(1, bytes / RecordFile.CELL_BYTES);
  }

  /** The ordinal at which ascending splits have this many bytes before them, or slightly more. */
  int ordinalAfter(long bytes) {
    int split = 0;
    long steps = even ? 0 : Math.min(threads(), MAX_STEPS);
    for (long before = 0; before < bytes && split < steps; split++) {
      before += bytes(split, before);
    }
    return split;
  }

  /** Whether a file has at least a thread's share of the crawl, so its data should be cut. */
  boolean isShare(long fileBytes) {
    return shares && fileBytes >= (even ? fullBytes : allBytes / threads());
  }

  /** The number of threads for which a full split has this size. */
  long threads() {
    double full = Math.min(MOST_FULL, (double) allBytes / fullBytes);
    return Math.max(1, (long) (full / FULL_PER_THREAD));
  }
}
