package io.kmodel.indexer.run;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells which lists of a run are in a range of term keys, asked in the order of the lists. Few
 * terms are compared with the bounds: with the lower one only up to the first list in the range;
 * with the upper one, if the run's samples are reliable, only from the last {@link TermSample}
 * below it on. Not thread-safe.
 */
final class TermBounds {
  private byte @Nullable [] from;
  private final byte @Nullable [] to;

  /** Lists from this offset on may be beyond the range's end. */
  private final long unsure;

  /**
   * The bounds of a range.
   *
   * @param samples of the run; none if it is a file, which may be damaged
   * @param from the least key in the range; null for no bound
   * @param to the least key beyond the range; null for no bound
   */
  TermBounds(List<TermSample> samples, byte @Nullable [] from, byte @Nullable [] to) {
    this.from = from;
    this.to = to;
    int last = to == null ? -1 : TermSample.lastUpTo(samples, to);
    this.unsure = last < 0 ? 0 : samples.get(last).offset();
  }

  /** Whether the next list is below the range. */
  boolean isBefore(byte[] term, int length) {
    byte[] first = from;
    if (first == null) {
      return false;
    }
    if (Arrays.compareUnsigned(term, 0, length, first, 0, first.length) < 0) {
      return true;
    }
    // All following lists are above the bound, too.
    from = null;
    return false;
  }

  /**
   * Whether the next list, and so every later one, is beyond the range.
   *
   * @param offset of the list, in the sense of {@link TermSample#offset}
   */
  boolean isBeyond(long offset, byte[] term, int length) {
    byte[] end = to;
    return end != null
        && offset >= unsure
        && Arrays.compareUnsigned(term, 0, length, end, 0, end.length) >= 0;
  }
}
