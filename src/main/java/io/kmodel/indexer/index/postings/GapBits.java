package io.kmodel.indexer.index.postings;

import io.kmodel.indexer.index.model.PostingsCursor;

/**
 * Counts the bits that the gaps between documents take in {@code postings.docs}: blocks as {@link
 * DocsWriter} encodes them, and for documents after the last block a variable-length integer with
 * the bit for frequency 1. Lists of one document are not counted: they take none. Also computes
 * LogGap, the mean of log2(gap), the measure of the literature. Memory: 22 KiB. Not thread-safe.
 */
public final class GapBits {
  private static final int BLOCK = PostingsCursor.BLOCK;

  /** Gaps whose logarithm is tabulated. */
  private static final int TABLE = 1 << 12;

  private static final double LOG_2 = Math.log(2);

  private final float[] logs = new float[TABLE];
  private final IntBlock block = new IntBlock();

  /** gap - 1 each, of documents that do not fill a block. */
  private final int[] gaps = new int[BLOCK];

  private int pending;
  private int last = -1;
  private long docFreq;
  private long bytes;
  private long count;
  private double logSum;
  private double logsOfList;

  public GapBits() {
    for (int gap = 1; gap < TABLE; gap++) {
      logs[gap] = (float) (Math.log(gap) / LOG_2);
    }
  }

  /** Adds the next documents of a list. */
  public void add(int[] docs, int n) {
    for (int i = 0; i < n; i++) {
      int gap = docs[i] - last;
      gaps[pending++] = gap - 1;
      logsOfList += gap < TABLE ? logs[gap] : Math.log(gap) / LOG_2;
      last = docs[i];
      if (pending == BLOCK) {
        bytes += block.bytes(gaps);
        pending = 0;
      }
    }
    docFreq += n;
  }

  /** Ends a list. */
  public void finishTerm() {
    if (docFreq > 1) {
      count += docFreq;
      logSum += logsOfList;
      for (int i = 0; i < pending; i++) {
        int bits = Integer.SIZE + 1 - Integer.numberOfLeadingZeros(gaps[i]);
        bytes += Math.max(1, (bits + 6) / 7);
      }
    }
    pending = 0;
    last = -1;
    docFreq = 0;
    logsOfList = 0;
  }

  /** Adds what another has counted. */
  public void add(GapBits other) {
    bytes += other.bytes;
    count += other.count;
    logSum += other.logSum;
  }

  /** Mean bits of a gap; 0 without gaps. */
  public double perGap() {
    return count == 0 ? 0 : 8.0 * bytes / count;
  }

  /** LogGap; 0 if there is no gap. */
  public double logGap() {
    return count == 0 ? 0 : logSum / count;
  }
}
