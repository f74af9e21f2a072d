package io.kmodel.indexer.experiment.paper;

import io.kmodel.indexer.experiment.KeyDistribution;
import io.kmodel.indexer.experiment.SortMeasurement;
import io.kmodel.indexer.experiment.SortSetting;
import io.kmodel.indexer.experiment.Spread;
import io.kmodel.indexer.experiment.paper.Figure.Line;
import io.kmodel.indexer.experiment.paper.Figure.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Races of the same sorters with different keys, which make one figure.
 *
 * @param ofThePaper the paper's figures, in the same units
 */
record Comparison(
    String id,
    String title,
    Axis axis,
    Unit unit,
    List<String> sorters,
    List<SortSetting> settings,
    List<Line> ofThePaper) {

  /** The property by which the races differ. */
  enum Axis {
    KEYS("keys", true),
    BITS("bits of a key", false),
    ENTROPY("bits of entropy of a key of 32", false);

    private final String label;
    private final boolean isLogarithmic;

    Axis(String label, boolean isLogarithmic) {
      this.label = label;
      this.isLogarithmic = isLogarithmic;
    }

    private double of(SortSetting setting) {
      return switch (this) {
        case KEYS -> setting.keys();
        case BITS -> setting.bits();
        case ENTROPY -> entropy(setting.distribution());
      };
    }

    /** Bits that are 1 with probability 2^-k, as Thearling and Smith count them. */
    private static double entropy(KeyDistribution distribution) {
      int words =
          switch (distribution) {
            case UNIFORM -> 1;
            case AND_2 -> 2;
            case AND_3 -> 3;
            case AND_4 -> 4;
            case AND_5 -> 5;
            default -> 0;
          };
      if (words == 0) {
        return 0;
      }
      double one = Math.pow(2, -words);
      return -32 * (one * log2(one) + (1 - one) * log2(1 - one));
    }

    private static double log2(double x) {
      return Math.log(x) / Math.log(2);
    }
  }

  /** How times are given. */
  enum Unit {
    MILLIS("ms"),
    NANOS_PER_KEY("ns a key"),
    MILLION_KEYS_PER_SECOND("million keys/s");

    private final String label;

    Unit(String label) {
      this.label = label;
    }

    private double of(double seconds, long keys) {
      return switch (this) {
        case MILLIS -> 1e3 * seconds;
        case NANOS_PER_KEY -> 1e9 * seconds / keys;
        case MILLION_KEYS_PER_SECOND -> keys / seconds / 1e6;
      };
    }
  }

  Comparison {
    sorters = List.copyOf(sorters);
    settings = List.copyOf(settings);
    ofThePaper = List.copyOf(ofThePaper);
  }

  /** The figure of measurements, one for each sorter and setting. */
  Figure figure(List<SortMeasurement> measurements) {
    List<Line> lines = new ArrayList<>();
    for (String sorter : sorters) {
      List<Point> points =
          measurements.stream().filter(m -> m.sorter().equals(sorter)).map(this::point).toList();
      lines.add(new Line(sorter, false, points));
    }
    lines.addAll(ofThePaper);
    String keys =
        axis == Axis.KEYS
            ? ""
            : String.format(Locale.ROOT, ", %,d keys", settings.getFirst().keys());
    return new Figure(id, title + keys, axis.label, unit.label, axis.isLogarithmic, true, lines);
  }

  private Point point(SortMeasurement measurement) {
    long keys = measurement.setting().keys();
    double[] values =
        measurement.seconds().stream().mapToDouble(seconds -> unit.of(seconds, keys)).toArray();
    Spread spread = Spread.of(values);
    return new Point(
        axis.of(measurement.setting()), spread.median(), spread.least(), spread.most());
  }
}
