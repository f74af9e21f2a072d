package io.kmodel.indexer.merge;

import io.kmodel.indexer.run.SortedRun;
import io.kmodel.indexer.run.TermSample;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the terms of n runs into ranges with about the same number of bytes of postings, using the
 * runs' sparse indexes. A single term is never cut. Memory: one entry per sample of every run.
 */
public final class TermRanges {
  /** A key at which a range may start, and a run's bytes from there to its next sample. */
  private static final class Cut {
    final byte[] key;
    final long bytes;

    Cut(byte[] key, long bytes) {
      this.key = key;
      this.bytes = bytes;
    }
  }

  /** Share of tapering ranges, at the start, that grow to full size. */
  private static final double RISING = 1.0 / 8;

  /** Size of the first tapering range relative to full size. */
  private static final double SMALLEST = 1.0 / 4;

  private TermRanges() {}

  /**
   * At most {@code count} ranges, in term order, that together hold every term.
   *
   * @param count at least 1
   */
  public static List<TermRange> cut(List<SortedRun> runs, int count) {
    double[] sizes = new double[count];
    Arrays.fill(sizes, 1);
    return cut(runs, sizes);
  }

  /**
   * The same for ranges that are merged in parallel and appended in order. The first ranges are
   * smaller, so that appending starts early. Later ranges shrink towards zero, so that little is
   * left to append when the last one has been merged: the last quarter of them has a seventh of the
   * bytes.
   */
  public static List<TermRange> cutTapering(List<SortedRun> runs, int count) {
    double[] sizes = new double[count];
    for (int i = 0; i < count; i++) {
      double place = (double) i / count;
      double rising = SMALLEST + (1 - SMALLEST) * Math.min(1, place / RISING);
      sizes[i] = rising * Math.sqrt(1 - place);
    }
    return cut(runs, sizes);
  }

  /**
   * Cuts ranges.
   *
   * @param sizes relative sizes of the ranges in bytes
   */
  private static List<TermRange> cut(List<SortedRun> runs, double[] sizes) {
    long total = runs.stream().mapToLong(SortedRun::listBytes).sum();
    double unit = total / Arrays.stream(sizes).sum();
    List<TermRange> ranges = new ArrayList<>();
    byte @Nullable [] from = null;
    long before = 0;
    long start = 0;
    int next = 1;
    double border = unit * sizes[0];
    byte[] last = {};
    for (Cut cut : cuts(runs)) {
      // Runs share the keys of frequent terms; such a key counts the bytes of all of them.
      boolean isNew = !Arrays.equals(cut.key, last);
      if (isNew && before >= border && next < sizes.length) {
        ranges.add(new TermRange(from, cut.key, before - start));
        from = cut.key;
        start = before;
        // A term as large as several ranges leaves that many fewer.
        while (next < sizes.length && border <= before) {
          border += unit * sizes[next++];
        }
      }
      before += cut.bytes;
      last = cut.key;
    }
    ranges.add(new TermRange(from, null, total - start));
    return ranges;
  }

  /** The samples of all runs in order of their keys. */
  private static List<Cut> cuts(List<SortedRun> runs) {
    List<Cut> cuts = new ArrayList<>();
    for (SortedRun run : runs) {
      List<TermSample> samples = run.samples();
      for (int i = 0; i < samples.size(); i++) {
        boolean isLast = i == samples.size() - 1;
        long end = isLast ? run.listBytes() : samples.get(i + 1).bytesBefore();
        cuts.add(new Cut(samples.get(i).key(), end - samples.get(i).bytesBefore()));
      }
    }
    cuts.sort((a, b) -> Arrays.compareUnsigned(a.key, b.key));
    return cuts;
  }
}
