package io.kmodel.indexer.experiment;

import java.util.Arrays;
import java.util.Locale;

/** Several measurements of the same quantity; times are in seconds. */
public record Spread(double median, double least, double most) {
  public static Spread of(double... seconds) {
    if (seconds.length == 0) {
      throw new IllegalArgumentException("nothing was measured");
    }
    double[] sorted = seconds.clone();
    Arrays.sort(sorted);
    return new Spread(median(seconds), sorted[0], sorted[sorted.length - 1]);
  }

  /** The middle value, or the mean of the two middle ones. */
  public static double median(double... figures) {
    double[] sorted = figures.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** Formats a line of a table of sorters. */
  String line(String what, long keys) {
    return String.format(
        Locale.ROOT,
        "%-34s %10.3f ms  (%.3f to %.3f)  %7.3f Gk/s",
        what,
        1e3 * median,
        1e3 * least,
        1e3 * most,
        keys / median / 1e9);
  }
}
