package io.kmodel.indexer.source.crawl;

import io.kmodel.indexer.source.list.FileList;

/**
 * The first splits of a crawl. Their sizes do not depend on the files after them, so they can be
 * read while the rest is still being listed. Each ends with the unit (see {@link FileList}) that
 * brings it to its size.
 *
 * <p>A split leads as soon as the listed files hold as many bytes for every thread as the split
 * has, so that none exceeds a thread's share of the crawl. No file in it or before it may be large,
 * because a large file may be cut into pieces, for which it has to be opened. All of this depends
 * on the files, never on how fast they were listed.
 *
 * @param threads that read; there is at most one leading split for each, and no more than {@value
 *     #MOST}; 0 for none
 */
public record LeadingSplits(int threads) {
  /** No leading splits: all splits are computed from the whole list. */
  public static final LeadingSplits NONE = new LeadingSplits(0);

  private static final int MOST = 32;

  /** Size of the last one. */
  private static final long LARGEST_BYTES = 32L << 20;

  public LeadingSplits {
    if (threads < 0) {
      throw new IllegalArgumentException("threads must not be negative; got " + threads);
    }
  }

  /** The maximum number of leading splits. */
  int most() {
    return Math.min(threads, MOST);
  }

  /**
   * Bytes of a leading split. Sizes ascend from a small one, so that threads do not finish their
   * splits at the same time (see {@link SplitSizes}). With sizes from 4.75 to 16 MiB, 16 threads
   * lost more by that than leading splits gained.
   */
  long bytes(int split) {
    return LARGEST_BYTES / most() * (split + 1);
  }

  /** Finds the leading splits in the units of a crawl, one unit after another. Not thread-safe. */
  static final class Finder {
    private final LeadingSplits wanted;
    private final int[] ends;
    private final long[] bytes;

    /** Splits that were cut. */
    private int cut;

    /** How many of these lead. */
    private int leading;

    private int units;

    /** Bytes after the last split that was cut. */
    private long open;

    private long all;
    private boolean cutting = true;

    Finder(LeadingSplits wanted) {
      this.wanted = wanted;
      this.ends = new int[wanted.most()];
      this.bytes = new long[wanted.most()];
    }

    /** Adds the next unit. */
    void add(long unitBytes) {
      all += unitBytes;
      cutting &= cut < ends.length && unitBytes < FileList.LARGE_BYTES;
      if (cutting) {
        addToSplit(unitBytes);
      }
      while (leading < cut && bytes[leading] <= all / wanted.threads) {
        leading++;
      }
    }

    private void addToSplit(long unitBytes) {
      units++;
      open += unitBytes;
      if (open >= wanted.bytes(cut)) {
        ends[cut] = units;
        bytes[cut] = open;
        open = 0;
        cut++;
      }
    }

    /** Number of splits that lead for certain. */
    int count() {
      return leading;
    }

    /** The first unit of a split. */
    int start(int split) {
      return split == 0 ? 0 : ends[split - 1];
    }

    /** The unit after a split. */
    int end(int split) {
      return ends[split];
    }

    /** Bytes in a split. */
    long bytes(int split) {
      return bytes[split];
    }
  }
}
