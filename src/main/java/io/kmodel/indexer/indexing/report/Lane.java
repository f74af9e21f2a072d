package io.kmodel.indexer.indexing.report;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one thread did when: the time spent on each activity, in bins of equal width. There are at
 * most {@value #BINS} bins; when they are full, their width doubles. Memory: 8 KiB for each
 * activity that occurs. Written by one thread, and read after it has ended.
 */
final class Lane {
  static final int BINS = 1024;

  /** Width of the first bins, about a millisecond. */
  static final long LEAST_WIDTH = 1 << 20;

  private final String name;
  private final long origin;
  private final Map<Activity, long[]> nanos = new EnumMap<>(Activity.class);
  private long width = LEAST_WIDTH;

  /**
   * An empty lane.
   *
   * @param origin start of the first bin, as {@link System#nanoTime} returns it
   */
  Lane(String name, long origin) {
    this.name = name;
    this.origin = origin;
  }

  String name() {
    return name;
  }

  /** Width of a bin in nanoseconds: the least width, doubled some times. */
  long width() {
    return width;
  }

  /** Adds the time from {@code start} to {@code end}; time before the origin is ignored. */
  void add(Activity activity, long start, long end) {
    long from = Math.max(0, start - origin);
    long to = end - origin;
    if (to <= from) {
      return;
    }
    while (to > width * BINS) {
      widen();
    }
    long[] bins = bins(activity);
    int bin = (int) (from / width);
    while (from < to) {
      long next = Math.min(to, (bin + 1) * width);
      bins[bin++] += next - from;
      from = next;
    }
  }

  /** Time spent in each bin; null if there is none. */
  long @Nullable [] spent(Activity activity) {
    return nanos.get(activity);
  }

  /** Adds another lane of the same origin; bins may become wider. */
  void addAll(Lane other) {
    widenTo(other.width);
    for (Activity activity : Activity.values()) {
      long[] theirs = other.spent(activity);
      if (theirs != null) {
        long[] bins = bins(activity);
        for (int i = 0; i < BINS; i++) {
          bins[(int) (i * other.width / width)] += theirs[i];
        }
      }
    }
  }

  void widenTo(long least) {
    while (width < least) {
      widen();
    }
  }

  private long[] bins(Activity activity) {
    long[] bins = nanos.get(activity);
    if (bins == null) {
      bins = new long[BINS];
      nanos.put(activity, bins);
    }
    return bins;
  }

  private void widen() {
    width *= 2;
    for (long[] bins : nanos.values()) {
      for (int i = 0; i < BINS / 2; i++) {
        bins[i] = bins[2 * i] + bins[2 * i + 1];
      }
      Arrays.fill(bins, BINS / 2, BINS, 0);
    }
  }
}
