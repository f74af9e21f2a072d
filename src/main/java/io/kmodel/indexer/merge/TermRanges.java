package io.kmodel.indexer.merge;

import io.kmodel.indexer.run.SortedRun;
import io.kmodel.indexer.run.TermSample;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the terms of n runs into ranges with about the same bytes of postings, by the runs' sparse
 * indexes. Memory: one entry per sample of every run. A single term is never cut.
 */
public final class TermRanges {
  /** A key at which a range may begin, and a run's bytes between its sample before and this one. */
  private static final class Cut {
    final byte[] key;
    final long bytes;

    Cut(byte[] key, long bytes) {
      this.key = key;
      this.bytes = bytes;
    }
  }

  private TermRanges() {}

  /**
   * At most {@code count} ranges, in term order, that together hold every term.
   *
   * @param count at least 1
   */
  public static List<TermRange> cut(List<SortedRun> runs, int count) {
    return cut(runs, count, part -> part);
  }

  /**
   * The same with ranges that become smaller, from one and a half times the mean down to little:
   * the last quarter of them has an eighth of the bytes. So few bytes are left to be appended when
   * the last ones are merged.
   */
  public static List<TermRange> cutTapering(List<SortedRun> runs, int count) {
    return cut(runs, count, part -> 1 - Math.pow(1 - part, 1.5));
  }

  /**
   * Cuts ranges.
   *
   * @param bytesUpTo which part of the bytes the first ranges have, by which part of the ranges
   *     these are
   */
  private static List<TermRange> cut(
      List<SortedRun> runs, int count, DoubleUnaryOperator bytesUpTo) {
    List<Cut> cuts = cuts(runs);
    long total = runs.stream().mapToLong(SortedRun::listBytes).sum();
    List<TermRange> ranges = new ArrayList<>();
    byte @Nullable [] from = null;
    long before = 0;
    for (Cut cut : cuts) {
      before += cut.bytes;
      double border = total * bytesUpTo.applyAsDouble((ranges.size() + 1.0) / count);
      boolean due = before >= border;
      if (due && ranges.size() < count - 1 && isAbove(cut.key, from)) {
        ranges.add(new TermRange(from, cut.key));
        from = cut.key;
      }
    }
    ranges.add(new TermRange(from, null));
    return ranges;
  }

  /** The samples of all runs in order of their keys. */
  private static List<Cut> cuts(List<SortedRun> runs) {
    List<Cut> cuts = new ArrayList<>();
    for (SortedRun run : runs) {
      long before = 0;
      for (TermSample sample : run.samples()) {
        cuts.add(new Cut(sample.key(), sample.bytesBefore() - before));
        before = sample.bytesBefore();
      }
    }
    cuts.sort((a, b) -> Arrays.compareUnsigned(a.key, b.key));
    return cuts;
  }

  private static boolean isAbove(byte[] key, byte @Nullable [] from) {
    return key.length > 0 && (from == null || Arrays.compareUnsigned(key, from) > 0);
  }
}
