package io.kmodel.indexer.experiment.paper;

import com.google.common.collect.ImmutableSet;
import io.kmodel.indexer.experiment.RaceDevice;
import io.kmodel.indexer.experiment.Spread;
import io.kmodel.indexer.experiment.paper.Figure.Line;
import io.kmodel.indexer.experiment.paper.Figure.Point;
import io.kmodel.indexer.experiment.paper.StringRace.Measurement;
import io.kmodel.indexer.experiment.strings.ByteStrings;
import io.kmodel.indexer.experiment.strings.CpuStrings;
import io.kmodel.indexer.experiment.strings.StringContestant.Seconds;
import io.kmodel.indexer.experiment.strings.StringSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/** The strings of Davidson et al.: Figure 7b, and a dictionary's terms. */
final class DavidsonStrings {
  /** The terms of a run's dictionary. */
  private static final int TERMS = 1_300_000;

  private static final int MOST_WORDS = 1 << 22;
  private static final int MOST_SENTENCES = 1 << 20;

  /** Strings of the paper's figures that name a number, at its figures without one. */
  private static final double PAPER_STRINGS = 1_000_000;

  private static final double PAPER_WORDS_RATE = 70;
  private static final double PAPER_SENTENCES_BYTES = 1250;

  private final PaperSetting setting;
  private final RaceDevice device;
  private final Consumer<String> out;
  private final List<Data> all = new ArrayList<>();
  private final DavidsonTies ties = new DavidsonTies();

  DavidsonStrings(PaperSetting setting, RaceDevice device, Consumer<String> out) {
    this.setting = setting;
    this.device = device;
    this.out = out;
  }

  /** Strings of one kind, and their races. */
  private record Data(StringSource source, List<Measurement> measurements) {
    String name() {
      return source.name();
    }

    List<Measurement> of(String sorter) {
      return measurements.stream().filter(m -> m.sorter().equals(sorter)).toList();
    }

    Measurement largest(String sorter) {
      return of(sorter).getLast();
    }
  }

  /** Races all sorters with all strings. */
  void run() throws IOException {
    for (StringSource source : StringSource.all()) {
      out.accept("\nFigure 7b: " + source.description());
      List<Measurement> measurements = new ArrayList<>();
      StringRace race = new StringRace(setting, device, out);
      int most = most(source.name().equals("words") ? MOST_WORDS : MOST_SENTENCES);
      TreeSet<Integer> sizes = new TreeSet<>();
      for (long size = setting.leastKeys(); size <= most; size *= 4) {
        sizes.add((int) size);
      }
      if (source.name().equals("words")) {
        sizes.add(terms());
      }
      for (int size : sizes) {
        measurements.addAll(race.run(source, size));
      }
      all.add(new Data(source, measurements));
      countTies(source);
    }
  }

  private int most(int limit) {
    return (int) Math.min(limit, setting.mostKeys());
  }

  private int terms() {
    return most(TERMS);
  }

  private void countTies(StringSource source) {
    ByteStrings strings = StringRace.sample(source, most(MOST_SENTENCES));
    CpuStrings sorter = new CpuStrings(setting.threads());
    sorter.load(strings);
    sorter.sort();
    ties.add(source.name(), strings, sorter.order());
  }

  // ---- figures

  /**
   * All figures.
   *
   * @param pairs rates of keys with values by number, in million a second
   */
  List<Figure> figures(Line pairs) {
    List<Figure> figures = new ArrayList<>();
    for (Data data : all) {
      figures.add(rates(data));
    }
    figures.add(bytes());
    figures.add(ratios(pairs));
    figures.addAll(ties.figures());
    return figures;
  }

  private static double rate(Measurement measurement, double seconds) {
    return measurement.strings() / seconds / 1e6;
  }

  private static Point point(
      Measurement measurement, ToDoubleFunction<Seconds> seconds, double perString) {
    Spread spread =
        measurement.spread(s -> perString * rate(measurement, seconds.applyAsDouble(s)));
    return new Point(measurement.strings(), spread.median(), spread.least(), spread.most());
  }

  private static Line line(
      String name, List<Measurement> measurements, ToDoubleFunction<Seconds> seconds) {
    return new Line(name, false, measurements.stream().map(m -> point(m, seconds, 1)).toList());
  }

  private Figure rates(Data data) {
    List<Line> lines = new ArrayList<>();
    for (String sorter : List.of(StringRace.IN_COMPARISONS, StringRace.IN_ROUNDS)) {
      lines.add(line(sorter, data.of(sorter), Seconds::sort));
      lines.add(line(sorter + ", with copies", data.of(sorter), Seconds::withCopies));
    }
    for (String cpu : ImmutableSet.of(CpuStrings.name(1), CpuStrings.name(setting.threads()))) {
      lines.add(line(cpu, data.of(cpu), Seconds::sort));
    }
    if (data.name().equals("words")) {
      lines.add(mark("words", PAPER_WORDS_RATE));
    }
    return new Figure(
        "figure-7b-" + data.name(),
        "Figure 7b: rate by number of strings, " + data.name(),
        "strings",
        "million strings/s",
        true,
        true,
        lines);
  }

  private static Line mark(String name, double value) {
    return new Line(name, true, List.of(Point.of(PAPER_STRINGS, value)));
  }

  private Figure bytes() {
    List<Line> lines = new ArrayList<>();
    for (Data data : all) {
      for (String sorter : List.of(StringRace.IN_COMPARISONS, StringRace.IN_ROUNDS)) {
        List<Point> points =
            data.of(sorter).stream().map(m -> point(m, Seconds::sort, m.meanBytes())).toList();
        lines.add(new Line(data.name() + ", " + sorter, false, points));
      }
    }
    lines.add(mark("sentences", PAPER_SENTENCES_BYTES));
    return new Figure(
        "figure-7b-bytes",
        "Figure 7b: bytes by number of strings",
        "strings",
        "MB/s",
        true,
        true,
        lines);
  }

  /** Times of strings divided by those of as many keys with values. */
  private Figure ratios(Line pairs) {
    List<Line> lines = new ArrayList<>();
    for (Data data : all) {
      for (String sorter : List.of(StringRace.IN_COMPARISONS, StringRace.IN_ROUNDS)) {
        List<Point> points = new ArrayList<>();
        for (Measurement measurement : data.of(sorter)) {
          double ratio = ratio(pairs, measurement);
          if (!Double.isNaN(ratio)) {
            points.add(Point.of(measurement.strings(), ratio));
          }
        }
        lines.add(new Line(data.name() + ", " + sorter, false, points));
      }
    }
    lines.add(mark("words", 2.5));
    lines.add(new Line("sentences", true, List.of(new Point(PAPER_STRINGS, 14.5, 14, 15))));
    return new Figure(
        "figure-7b-ratio",
        "Figure 7b: time of strings divided by that of as many keys with values (62 bits here)",
        "strings",
        "ratio",
        true,
        true,
        lines);
  }

  private static double ratio(Line pairs, Measurement measurement) {
    double strings = rate(measurement, measurement.spread(Seconds::sort).median());
    return pairs.at(measurement.strings()) / strings;
  }

  // ---- tables and findings

  /** The sort of a dictionary's terms. */
  List<PaperTable> tables() {
    Data words = all.getFirst();
    String rival = CpuStrings.name(setting.threads());
    double cpu = termSeconds(rival, Seconds::sort);
    List<List<String>> rows = new ArrayList<>();
    for (Measurement measurement : words.measurements()) {
      if (measurement.strings() == terms()) {
        double sort = measurement.spread(Seconds::sort).median();
        double copies = measurement.spread(Seconds::withCopies).median();
        rows.add(
            List.of(
                measurement.sorter(),
                number("%,.2f", 1e3 * sort),
                number("%,.2f", 1e3 * copies),
                number("%,.1f", cpu / sort),
                number("%,.1f", cpu / copies)));
      }
    }
    return List.of(
        new PaperTable(
            "terms",
            String.format(
                Locale.ROOT, "%,d words in ms; how many times as fast as %s", terms(), rival),
            List.of("sorter", "sort", "with copies", "times", "times with copies"),
            rows));
  }

  private static String number(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }

  private double termSeconds(String sorter, ToDoubleFunction<Seconds> seconds) {
    return all.getFirst().of(sorter).stream()
        .filter(measurement -> measurement.strings() == terms())
        .findFirst()
        .orElseThrow()
        .spread(seconds)
        .median();
  }

  /**
   * What holds for strings.
   *
   * @param pairs as in the figures
   */
  List<String> findings(Line pairs) {
    Data words = all.getFirst();
    Data sentences = all.getLast();
    return List.of(
        "The strings here are made of %s, and of %s."
            .formatted(words.source().description(), sentences.source().description()),
        String.format(
            Locale.ROOT,
            "The paper: 70 million words a second, and 1.25 GB/s of sentences, without copies. Here %,.1f million words and %.2f GB/s of sentences with ties in comparisons, %,.1f and %.2f in rounds.",
            largestRate(words, StringRace.IN_COMPARISONS),
            largestBytes(sentences, StringRace.IN_COMPARISONS),
            largestRate(words, StringRace.IN_ROUNDS),
            largestBytes(sentences, StringRace.IN_ROUNDS)),
        String.format(
            Locale.ROOT,
            "The paper: words take 2.5 times as long as keys with values, sentences 14 to 15 times. Here %.1f and %.1f times with ties in comparisons, %.1f and %.1f in rounds.",
            lastRatio(pairs, words, StringRace.IN_COMPARISONS),
            lastRatio(pairs, sentences, StringRace.IN_COMPARISONS),
            lastRatio(pairs, words, StringRace.IN_ROUNDS),
            lastRatio(pairs, sentences, StringRace.IN_ROUNDS)),
        ties.stepsFinding(),
        ties.sharedFinding(),
        termsFinding());
  }

  private static double largestRate(Data data, String sorter) {
    Measurement largest = data.largest(sorter);
    return rate(largest, largest.spread(Seconds::sort).median());
  }

  private static double largestBytes(Data data, String sorter) {
    return largestRate(data, sorter) * data.largest(sorter).meanBytes() / 1e3;
  }

  /** Of the most strings for which the time of keys with values is known. */
  private static double lastRatio(Line pairs, Data data, String sorter) {
    return data.of(sorter).stream()
        .mapToDouble(measurement -> ratio(pairs, measurement))
        .filter(ratio -> !Double.isNaN(ratio))
        .reduce((before, last) -> last)
        .orElseThrow();
  }

  private String termsFinding() {
    String rival = CpuStrings.name(setting.threads());
    double cpu = termSeconds(rival, Seconds::sort);
    return String.format(
        Locale.ROOT,
        "The paper leaves copies out. Here %,d words, copied to the device and their order back, are sorted %.1f times as fast as by %s of Java's sort with ties in comparisons, and %.1f times in rounds.",
        terms(),
        cpu / termSeconds(StringRace.IN_COMPARISONS, Seconds::withCopies),
        rival,
        cpu / termSeconds(StringRace.IN_ROUNDS, Seconds::withCopies));
  }
}
