package io.kmodel.indexer.experiment.paper;

import io.kmodel.indexer.experiment.KeyDistribution;
import io.kmodel.indexer.experiment.RaceDevice;
import io.kmodel.indexer.experiment.SortSetting;
import io.kmodel.indexer.experiment.paper.Comparison.Axis;
import io.kmodel.indexer.experiment.paper.Comparison.Unit;
import io.kmodel.indexer.experiment.paper.Figure.Line;
import io.kmodel.indexer.experiment.paper.Figure.Point;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Merge sort of keys, of keys with values, and of strings: Figures 7a and 7b (rates), 8 and 9 (ties
 * and lengths of strings).
 */
final class DavidsonPaper {
  private static final String MERGE = "gpu-merge";
  private static final String PAIRS = "gpu-pairs";
  private static final String MERGE_SEARCH = "gpu-merge-search";
  private static final String PAIRS_SEARCH = "gpu-pairs-search";
  private static final String RADIX = "gpu-radix";

  /** The paper's keys. */
  private static final int BITS = 32;

  /** The widest keys of a race; keys of strings have 64 here. */
  private static final int WIDE_BITS = 62;

  /** Where the paper gives rates and bounds of keys. */
  private static final double PAPER_KEYS = 1 << 22;

  /** In million keys a second (abstract and section 6). */
  private static final double PAPER_MERGE = 250;

  private static final double PAPER_BOUND = 1260;
  private static final double PAPER_PAIRS_BOUND = 941;

  private final PaperSetting setting;
  private final RaceDevice device;
  private final Consumer<String> out;
  private final Races races;

  DavidsonPaper(PaperSetting setting, RaceDevice device, Consumer<String> out) {
    SortSetting.requireKeys(setting.mostKeys());
    this.setting = setting;
    this.device = device;
    this.out = out;
    this.races = new Races(setting, out);
  }

  Paper.Results run() throws IOException {
    Figure keys =
        races.run(
            rates(
                "figure-7a",
                "Figure 7a: rate of merge sort by number of keys of 32 bits",
                List.of(MERGE, PAIRS, MERGE_SEARCH, PAIRS_SEARCH, RADIX),
                BITS,
                List.of(
                    mark("merge sort", PAPER_MERGE),
                    mark("bound of keys", PAPER_BOUND),
                    mark("bound of keys with values", PAPER_PAIRS_BOUND))));
    Figure wide =
        races.run(
            rates(
                "figure-7a-wide",
                "Figure 7a with keys of 62 bits",
                List.of(MERGE, PAIRS, RADIX),
                WIDE_BITS,
                List.of()));
    DavidsonStrings strings = new DavidsonStrings(setting, device, out);
    strings.run();
    List<Figure> figures = new ArrayList<>(List.of(keys, wide));
    figures.addAll(strings.figures(wide.line(PAIRS)));
    List<String> findings = new ArrayList<>(findings(keys));
    findings.addAll(strings.findings(wide.line(PAIRS)));
    return new Paper.Results(figures, strings.tables(), findings);
  }

  private Comparison rates(
      String id, String title, List<String> sorters, int bits, List<Line> ofThePaper) {
    return new Comparison(
        id,
        title,
        Axis.KEYS,
        Unit.MILLION_KEYS_PER_SECOND,
        sorters,
        SortSetting.all(
            races.sizes(), List.of(bits), List.of(KeyDistribution.UNIFORM), setting.threads()),
        ofThePaper);
  }

  private static Line mark(String name, double rate) {
    return new Line(name, true, List.of(Point.of(PAPER_KEYS, rate)));
  }

  private static List<String> findings(Figure keys) {
    Line merge = keys.line(MERGE);
    Line pairs = keys.line(PAIRS);
    double most = merge.points().getLast().x();
    double best = best(merge);
    return List.of(
        String.format(
            Locale.ROOT,
            "The paper: merge sort reaches %.0f million keys/s. Here it reaches %,.0f at %,.0f keys by the path of the merge, and %,.0f by search in windows as in the paper.",
            PAPER_MERGE,
            merge.at(best),
            best,
            keys.line(MERGE_SEARCH).at(best)),
        String.format(
            Locale.ROOT,
            "The paper: its keys with values are as far below their bound as its keys are, so with values it has %.2f of the rate. Here keys with values have %.2f of the rate of keys at %,.0f, and %.2f by search.",
            PAPER_PAIRS_BOUND / PAPER_BOUND,
            pairs.at(most) / merge.at(most),
            most,
            keys.line(PAIRS_SEARCH).at(most) / keys.line(MERGE_SEARCH).at(most)),
        "The paper: the rate falls from about 4 million keys on, because the number of merges grows. "
            + fall(merge, best, most),
        String.format(
            Locale.ROOT,
            "The paper: radix sort exceeds 1,000 million keys/s, four times its merge sort. Here radix sort is %.2f times as fast as merge sort at %,.0f keys.",
            keys.line(RADIX).at(most) / merge.at(most),
            most));
  }

  private static String fall(Line merge, double best, double most) {
    return best == most
        ? String.format(Locale.ROOT, "Here it grows up to %,.0f keys, the most sorted.", most)
        : String.format(
            Locale.ROOT,
            "Here it is the highest at %,.0f keys, and %.2f of that at %,.0f.",
            best,
            merge.at(most) / merge.at(best),
            most);
  }

  private static double best(Line line) {
    return line.points().stream().max(Comparator.comparingDouble(Point::y)).orElseThrow().x();
  }
}
