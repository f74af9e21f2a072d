package io.kmodel.indexer.source;

/**
 * The first splits of a large crawl, whose sizes do not depend on what comes after them: they can
 * be read while the rest is still being listed. Each ends with the unit (see {@link FileList}) that
 * brings it to its size.
 *
 * <p>A crawl has them if no file in them is large (those may be cut into pieces, for which they
 * have to be opened), if at least as many bytes come after them, and if the crawl has 32 MiB for
 * every thread: so small crawls, which threads could not share fairly then, are listed before
 * anything is read. All of this follows from the files, never from how fast they were listed.
 *
 * @param threads that read; there is one for each, but no more than {@value #MOST}; 0 for none
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

  /** How many there are. */
  int count() {
    return Math.min(threads, MOST);
  }

  /**
   * Bytes of one of them: each has more than the one before, from little on, so that threads do not
   * come to their ends together (see {@link SplitSizes}; with sizes from 4.75 to 16 MiB, 16 threads
   * lost more by that than they had won).
   */
  long bytes(int split) {
    return LARGEST_BYTES / count() * (split + 1);
  }

  /** Finds them in the units of a crawl, one unit after another. Not thread-safe. */
  static final class Finder {
    private final LeadingSplits wanted;
    private final int count;
    private final int[] ends;
    private final long[] bytes;
    private int cut;
    private int units;
    private long open;

    /** After the last split was cut. */
    private long behind;

    private long leading;
    private boolean ended;

    Finder(LeadingSplits wanted) {
      this.wanted = wanted;
      this.count = wanted.count();
      this.ends = new int[count];
      this.bytes = new long[count];
      this.ended = count == 0;
    }

    /**
     * Takes the next unit.
     *
     * @return whether it is certain now, and was not before, that the crawl has them
     */
    boolean add(long unitBytes) {
      if (ended) {
        return false;
      }
      if (cut < count) {
        addToSplit(unitBytes);
        return false;
      }
      behind += unitBytes;
      ended = behind >= leading && leading + behind >= LARGEST_BYTES * wanted.threads;
      return ended;
    }

    private void addToSplit(long unitBytes) {
      if (unitBytes >= FileList.LARGE_BYTES) {
        ended = true;
        return;
      }
      units++;
      open += unitBytes;
      if (open >= wanted.bytes(cut)) {
        ends[cut] = units;
        bytes[cut] = open;
        leading += open;
        open = 0;
        cut++;
      }
    }

    /** How many there are. */
    int count() {
      return count;
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
