package io.kmodel.indexer.source;

/**
 * The first splits of a crawl, whose sizes do not depend on what comes after them: they can be read
 * while the rest is still being listed. Each ends with the unit (see {@link FileList}) that brings
 * it to its size.
 *
 * <p>One leads as soon as the files that are listed hold as many bytes for every thread as it has
 * itself, so that none is more than a thread's share of the crawl, and if no file in it or before
 * it is large (those may be cut into pieces, for which they have to be opened). All of this follows
 * from the files, never from how fast they were listed.
 *
 * @param threads that read; there is at most one for each, and no more than {@value #MOST}; 0 for
 *     none
 */
public record LeadingSplits(int threads) {
  /** None: all splits follow from the whole list. */
  public static final LeadingSplits NONE = new LeadingSplits(0);

  private static final int MOST = 32;

  /** Of the last. */
  private static final long LARGEST_BYTES = 32L << 20;

  public LeadingSplits {
    if (threads < 0) {
      throw new IllegalArgumentException("threads must not be negative; got " + threads);
    }
  }

  /** How many there are at most. */
  int most() {
    return Math.min(threads, MOST);
  }

  /**
   * Bytes of one of them: each has more than the one before, from little on, so that threads do not
   * come to their ends together (see {@link SplitSizes}; with sizes from 4.75 to 16 MiB, 16 threads
   * lost more by that than they had won).
   */
  long bytes(int split) {
    return LARGEST_BYTES / most() * (split + 1);
  }

  /** Finds them in the units of a crawl, one unit after another. Not thread-safe. */
  static final class Finder {
    private final LeadingSplits wanted;
    private final int[] ends;
    private final long[] bytes;

    /** Splits that are cut. */
    private int cut;

    /** Of these, the ones that lead. */
    private int leading;

    private int units;

    /** Bytes behind the last split that was cut. */
    private long open;

    private long all;
    private boolean cutting = true;

    Finder(LeadingSplits wanted) {
      this.wanted = wanted;
      this.ends = new int[wanted.most()];
      this.bytes = new long[wanted.most()];
    }

    /** Takes the next unit. */
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

    /** How many lead for certain. */
    int count() {
      return leading;
    }

    /** The unit that a split starts with. */
    int start(int split) {
      return split == 0 ? 0 : ends[split - 1];
    }

    /** The unit that is behind a split. */
    int end(int split) {
      return ends[split];
    }

    /** Bytes in a split. */
    long bytes(int split) {
      return bytes[split];
    }
  }
}
