package io.kmodel.indexer.indexing.report;

import io.kmodel.indexer.indexing.report.BuildSampler.Sample;
import java.util.ArrayList;
import java.util.List;

/**
 * How much a build worked between two samples of it: the processor time of the process, and the
 * recorded activity of its threads. The latter includes waiting for a disk.
 */
final class BusyCores {
  /** Below this, no more than one thread counts as at work. */
  private static final double ONE = 1.5;

  /**
   * An interval, in nanoseconds since the origin.
   *
   * @param cores processor time by time
   * @param threads the average number that were at work or waited for the disk
   */
  record Interval(long from, long to, double cores, double threads) {
    /** The larger one: neither waiting for a disk nor other programs make a build look idle. */
    double working() {
      return Math.max(cores, threads);
    }
  }

  private BusyCores() {}

  static List<Interval> of(List<Sample> samples, List<Lane> lanes, long origin) {
    List<Interval> intervals = new ArrayList<>();
    for (int i = 1; i < samples.size(); i++) {
      Sample before = samples.get(i - 1);
      Sample now = samples.get(i);
      long from = before.nanos() - origin;
      long to = now.nanos() - origin;
      if (to > from) {
        double cpu = (double) (now.cpuNanos() - before.cpuNanos()) / (to - from);
        intervals.add(new Interval(from, to, cpu, active(lanes, from, to)));
      }
    }
    return intervals;
  }

  /** Average number of working threads. */
  private static double active(List<Lane> lanes, long from, long to) {
    double nanos = 0;
    for (Lane lane : lanes) {
      for (Activity activity : Activity.values()) {
        long[] spent = activity.isIdle() ? null : lane.spent(activity);
        if (spent != null) {
          nanos += spent(spent, lane.width(), from, to);
        }
      }
    }
    return nanos / (to - from);
  }

  /** Time in the bins that overlap an interval, weighted by the overlap. */
  private static double spent(long[] bins, long width, long from, long to) {
    double sum = 0;
    for (long bin = Math.max(0, from / width); bin < bins.length && bin * width < to; bin++) {
      long overlap = Math.min(to, (bin + 1) * width) - Math.max(from, bin * width);
      sum += bins[(int) bin] * ((double) overlap / width);
    }
    return sum;
  }

  /** The longest stretch with at most one busy core; of length 0 if there was none. */
  static BuildReport.Stretch longestWithOne(List<Interval> intervals) {
    long bestFrom = 0;
    long bestTo = 0;
    long from = -1;
    for (Interval interval : intervals) {
      if (interval.working() >= ONE) {
        from = -1;
        continue;
      }
      from = from < 0 ? interval.from() : from;
      if (interval.to() - from > bestTo - bestFrom) {
        bestFrom = from;
        bestTo = interval.to();
      }
    }
    return new BuildReport.Stretch(bestFrom / 1e9, bestTo / 1e9);
  }
}
