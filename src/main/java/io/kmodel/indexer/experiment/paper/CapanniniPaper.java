package io.kmodel.indexer.experiment.paper;

import io.kmodel.indexer.experiment.KeyDistribution;
import io.kmodel.indexer.experiment.SortSetting;
import io.kmodel.indexer.experiment.paper.Comparison.Axis;
import io.kmodel.indexer.experiment.paper.Comparison.Unit;
import io.kmodel.indexer.experiment.paper.Figure.Line;
import io.kmodel.indexer.experiment.paper.Figure.Point;
import io.kmodel.indexer.sort.KModelSchedule;
import io.kmodel.indexer.sort.KModelSchedule.Mode;
import io.kmodel.indexer.sort.KernelShape;
import io.kmodel.indexer.sort.lab.KModelCost;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * The bitonic network in place, the radix sort of Sengupta et al. and the quicksort of Cederman and
 * Tsigas: Figure 5 (elapsed times), Table 1 and Figure 6 (memory transactions).
 */
final class CapanniniPaper {
  private static final String NETWORK = "gpu-network";
  private static final String RADIX = "gpu-split-1";
  private static final String QUICKSORT = "gpu-quicksort";

  private static final int BITS = 32;
  private static final int RADIX_DIGIT_BITS = 4;
  private static final int RADIX_BLOCK_KEYS = 1024;

  /** Of Figure 6: k is about 16, and memories have gigabytes. */
  private static final int LOG2_K = 4;

  private static final int LEAST_LOG2 = 16;
  private static final int MOST_LOG2 = 32;

  /** Up to this size the paper's radix sort is faster than its network (section 8). */
  private static final long RADIX_WINS_TO = 8_000_000;

  private static final List<KeyDistribution> DISTRIBUTIONS =
      List.of(
          KeyDistribution.UNIFORM,
          KeyDistribution.GAUSSIAN,
          KeyDistribution.ZIPF,
          KeyDistribution.ALL_EQUAL);

  /**
   * A row of Table 1: memory transactions, memory contention and divergent paths of a sort of so
   * many keys on an 8800 GT.
   */
  private record Counted(
      int log2Keys, String sorter, String transactions, String contention, String divergent) {}

  private static final String DOES_NOT_FIT = "does not fit";

  private static final List<Counted> TABLE_1 =
      List.of(
          new Counted(20, NETWORK, "796,800", "34,350", "0"),
          new Counted(20, QUICKSORT, "4,446,802", "123,437", "272,904"),
          new Counted(20, RADIX, "965,791", "132,652", "29,399"),
          new Counted(22, NETWORK, "4,119,680", "151,592", "0"),
          new Counted(22, QUICKSORT, "18,438,423", "379,967", "1,126,038"),
          new Counted(22, RADIX, "3,862,644", "520,656", "122,667"),
          new Counted(24, NETWORK, "20,223,360", "666,044", "0"),
          new Counted(24, QUICKSORT, "85,843,422", "1,379,155", "1,126,038"),
          new Counted(24, RADIX, "15,447,561", "2,081,467", "492,016"),
          new Counted(26, NETWORK, "101,866,786", "2,912,926", "0"),
          new Counted(26, QUICKSORT, DOES_NOT_FIT, DOES_NOT_FIT, DOES_NOT_FIT),
          new Counted(26, RADIX, DOES_NOT_FIT, DOES_NOT_FIT, DOES_NOT_FIT));

  private final PaperSetting setting;
  private final Races races;

  CapanniniPaper(PaperSetting setting, Consumer<String> out) {
    this.setting = setting;
    this.races = new Races(setting, out);
  }

  Paper.Results run() throws IOException {
    List<Figure> figures = new ArrayList<>();
    for (KeyDistribution distribution : DISTRIBUTIONS) {
      String name = distribution.name().toLowerCase(Locale.ROOT).replace('_', ' ');
      figures.add(
          races.run(
              new Comparison(
                  "figure-5-" + name.replace(' ', '-'),
                  "Figure 5: time by number of integers, " + name,
                  Axis.KEYS,
                  Unit.MILLIS,
                  List.of(NETWORK, RADIX, QUICKSORT),
                  SortSetting.all(
                      races.sizes(), List.of(BITS), List.of(distribution), setting.threads()),
                  List.of())));
    }
    List<String> findings = findings(figures.getFirst(), figures.getLast());
    figures.add(figure6());
    return new Paper.Results(figures, List.of(table1()), findings);
  }

  private static List<String> findings(Figure uniform, Figure equal) {
    Line network = uniform.line(NETWORK);
    Line radix = uniform.line(RADIX);
    Line quicksort = uniform.line(QUICKSORT);
    double most = network.points().getLast().x();
    return List.of(
        String.format(
            Locale.ROOT,
            "The paper: radix sort is the fastest up to %,d integers. Here radix sort is faster than the network at %s, and takes %.2f of its time at %,.0f.",
            RADIX_WINS_TO,
            sizesWhereFaster(radix, network),
            radix.at(most) / network.at(most),
            most),
        String.format(
            Locale.ROOT,
            "The paper: the network is always faster than quicksort. Here quicksort is faster at %s, and takes %.2f times as long at %,.0f.",
            sizesWhereFaster(quicksort, network),
            quicksort.at(most) / network.at(most),
            most),
        String.format(
            Locale.ROOT,
            "The paper: the network's times hardly vary, those of quicksort do. Here the widest spread from 2^20 keys on is %.1f %% of the median for the network, %.1f %% for radix sort and %.1f %% for quicksort; quicksort takes %.2f of its time if all keys are equal.",
            100 * spread(network),
            100 * spread(radix),
            100 * spread(quicksort),
            equal.line(QUICKSORT).at(most) / quicksort.at(most)),
        "The paper: only the network sorts in place, so it sorts twice as many keys. By construction that holds.");
  }

  private static String sizesWhereFaster(Line one, Line other) {
    String sizes =
        one.points().stream()
            .filter(point -> point.y() < other.at(point.x()))
            .map(point -> String.format(Locale.ROOT, "%,.0f", point.x()))
            .collect(Collectors.joining("; "));
    return sizes.isEmpty() ? "none of the sizes" : sizes + " keys";
  }

  /** The widest spread of a size, as a share of its median; small sizes are mostly launches. */
  private static double spread(Line line) {
    return line.points().stream()
        .filter(point -> point.x() >= 1 << 20)
        .mapToDouble(point -> (point.most() - point.least()) / point.y())
        .max()
        .orElse(0);
  }

  // ---- the model

  private static double networkTransactions(long n, Mode mode) {
    int log2Sigma = KernelShape.INTEGERS.log2Sigma();
    return KModelCost.bitonic(new KModelSchedule(n, log2Sigma, LOG2_K, mode), n)
        .memoryTransactions();
  }

  private static double quicksortTransactions(long n) {
    return KModelCost.quicksort(n, LOG2_K).memoryTransactions();
  }

  private static double radixTransactions(long n) {
    return KModelCost.radixSort(n, LOG2_K, BITS, RADIX_DIGIT_BITS, RADIX_BLOCK_KEYS)
        .memoryTransactions();
  }

  /** By the model, and by the device's counters where a profiler can read them. */
  private PaperTable table1() throws IOException {
    Optional<String> obstacle =
        KernelCounters.hasProfiler() ? Optional.empty() : Optional.of("there is no ncu");
    if (setting.device().orElseThrow().info().ordinal() > 0) {
      obstacle = Optional.of("ncu counts on gpu:0");
    }
    List<List<String>> rows = new ArrayList<>();
    for (Counted paper : TABLE_1) {
      long n = 1L << paper.log2Keys();
      Optional<KernelCounters.Counts> counts = Optional.empty();
      if (obstacle.isEmpty() && n <= setting.mostKeys()) {
        try {
          counts = Optional.of(KernelCounters.of(paper.sorter(), n));
        } catch (ClosedByInterruptException e) {
          throw e;
        } catch (IOException e) {
          obstacle = Optional.of(String.valueOf(e.getMessage()));
        }
      }
      rows.add(row(paper, n, counts));
    }
    return new PaperTable(
        "table-1",
        "Table 1: memory transactions, memory contention, divergent paths; in the paper counted on"
            + " an 8800 GT, by the K-model's formulas (section 6.1; k = 16, sigma = 2^%d), and here by ncu: sectors of 32 bytes, bank conflicts, divergent branches%s"
                .formatted(
                    KernelShape.INTEGERS.log2Sigma(),
                    obstacle.map(why -> "; not all were counted here: " + why).orElse("")),
        List.of(
            "keys",
            "sorter",
            "paper",
            "model",
            "here",
            "contention: paper",
            "here",
            "divergent: paper",
            "here"),
        rows);
  }

  private static List<String> row(Counted paper, long n, Optional<KernelCounters.Counts> counts) {
    double model =
        switch (paper.sorter()) {
          case NETWORK -> networkTransactions(n, Mode.CROSS_STAGE);
          case QUICKSORT -> quicksortTransactions(n);
          default -> radixTransactions(n);
        };
    return List.of(
        String.format(Locale.ROOT, "%,d", n),
        paper.sorter(),
        paper.transactions(),
        String.format(Locale.ROOT, "%,.0f", model),
        counted(counts, KernelCounters.Counts::sectors),
        paper.contention(),
        counted(counts, KernelCounters.Counts::conflicts),
        paper.divergent(),
        counted(counts, KernelCounters.Counts::divergent));
  }

  private static String counted(
      Optional<KernelCounters.Counts> counts, ToLongFunction<KernelCounters.Counts> count) {
    return counts
        .map(c -> String.format(Locale.ROOT, "%,d", count.applyAsLong(c)))
        .orElse("not counted");
  }

  private static Figure figure6() {
    return new Figure(
        "figure-6",
        "Figure 6: memory transactions by the model, k = 16",
        "keys",
        "transactions",
        true,
        true,
        List.of(
            model("network", n -> networkTransactions(n, Mode.PAPER)),
            model("network across stages", n -> networkTransactions(n, Mode.CROSS_STAGE)),
            model("quicksort", CapanniniPaper::quicksortTransactions)));
  }

  private static Line model(String name, LongToDoubleFunction transactions) {
    List<Point> points = new ArrayList<>();
    for (int log2 = LEAST_LOG2; log2 <= MOST_LOG2; log2 += 2) {
      points.add(Point.of((double) (1L << log2), transactions.applyAsDouble(1L << log2)));
    }
    return new Line(name, false, points);
  }
}
