package io.kmodel.indexer.run;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The lists of a run that are in a range of term keys, asked for one after the other. Only those
 * near the range's ends are compared with them: none behind the first one, and, where its samples
 * can be relied on, none before the last {@link TermSample} up to the range's end. Not thread-safe.
 */
final class TermBounds {
  private byte @Nullable [] from;
  private final byte @Nullable [] to;

  /** Where a list lies of which it is not known that it is below the range's end. */
  private final long unsure;

  /**
   * The bounds of a range.
   *
   * @param samples of the run that are surely true; none if it is a file, which may be damaged
   * @param from the least key in the range, null for all
   * @param to the least key beyond it, likewise
   */
  TermBounds(List<TermSample> samples, byte @Nullable [] from, byte @Nullable [] to) {
    this.from = from;
    this.to = to;
    int last = to == null ? -1 : TermSample.lastUpTo(samples, to);
    this.unsure = last < 0 ? 0 : samples.get(last).offset();
  }

  /** Whether the next list is not in the range yet. */
  boolean isBefore(byte[] term, int length) {
    byte[] first = from;
    if (first == null) {
      return false;
    }
    if (Arrays.compareUnsigned(term, 0, length, first, 0, first.length) < 0) {
      return true;
    }
    // Nor will any that follows.
    from = null;
    return false;
  }

  /**
   * Whether the next list is beyond the range, and all that follow.
   *
   * @param offset where it lies, as samples have it
   */
  boolean isBeyond(long offset, byte[] term, int length) {
    byte[] end = to;
    return end != null
        && offset >= unsure
        && Arrays.compareUnsigned(term, 0, length, end, 0, end.length) >= 0;
  }
}
