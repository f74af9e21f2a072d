package io.kmodel.indexer.experiment;

import java.util.Arrays;
import java.util.List;

/**
 * The figures of one sorter in one race.
 *
 * @param threads number of threads that it used
 * @param seconds duration of one sort, per round
 */
public record SortMeasurement(
    String sorter, SortSetting setting, int threads, List<Double> seconds) {
  public SortMeasurement {
    seconds = List.copyOf(seconds);
  }

  /** The median over the rounds. */
  public double median() {
    return Spread.median(figures());
  }

  double best() {
    return Arrays.stream(figures()).min().orElseThrow();
  }

  double worst() {
    return Arrays.stream(figures()).max().orElseThrow();
  }

  /** The median over the rounds of another sorter's time divided by this one's. */
  double ratioOf(SortMeasurement other) {
    double[] ratios = figures();
    Arrays.setAll(ratios, round -> other.seconds.get(round) / ratios[round]);
    return Spread.median(ratios);
  }

  private double[] figures() {
    return seconds.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
