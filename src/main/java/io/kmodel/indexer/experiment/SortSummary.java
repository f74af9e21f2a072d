package io.kmodel.indexer.experiment;

import java.util.Formatter;
import java.util.List;
import java.util.Locale;

/** A table with the figures of one race of sorters. */
public final class SortSummary {
  private final List<SortMeasurement> measurements;

  public SortSummary(List<SortMeasurement> measurements) {
    this.measurements = List.copyOf(measurements);
  }

  @Override
  public String toString() {
    SortMeasurement first = measurements.getFirst();
    int rounds = first.seconds().size();
    StringBuilder text = new StringBuilder();
    try (Formatter out = new Formatter(text, Locale.ROOT)) {
      out.format("%s; medians of %d round%s%n", first.setting(), rounds, rounds == 1 ? "" : "s");
      out.format(
          "  %-22s %7s %10s %22s %8s %8s %8s%n",
          "", "threads", "ms", "(min–max)", "ns/key", "Mkeys/s", "speed");
      for (SortMeasurement measurement : measurements) {
        row(out, measurement, first);
      }
    }
    return text.toString();
  }

  private static void row(Formatter out, SortMeasurement measurement, SortMeasurement first) {
    double seconds = measurement.median();
    long keys = measurement.setting().keys();
    out.format(
        "  %-22s %7d %10.3f %22s %8.2f %8.1f %8.2f%n",
        measurement.sorter(),
        measurement.threads(),
        seconds * 1e3,
        String.format(
            Locale.ROOT, "(%.3f–%.3f)", measurement.best() * 1e3, measurement.worst() * 1e3),
        seconds * 1e9 / keys,
        keys / 1e6 / seconds,
        measurement.ratioOf(first));
  }
}
