package io.kmodel.indexer.experiment.paper;

import io.kmodel.indexer.experiment.RecordRace;
import io.kmodel.indexer.experiment.Spread;
import io.kmodel.indexer.experiment.paper.Figure.Line;
import io.kmodel.indexer.experiment.paper.Figure.Point;
import io.kmodel.indexer.sort.device.records.DeviceRecords.Layout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Records with a key and 2 to 20 other fields of 4 bytes, sorted by samples, by radix sort and by
 * GRS, directly and indirectly: Figures 7 to 10 by field, 11 to 14 hybrid. The paper's SRTS is a
 * radix sort of 4 bits a pass with a fixed number of blocks; ours takes 8 bits a pass by look-back.
 */
final class SahniPaper {
  private static final int[] OTHERS = {2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 16, 20};

  /** Figures of a single kind of sorter end here. */
  private static final int MOST_OF_A_KIND = 9;

  private static final int FEW = 2;
  private static final int MOST = 20;

  /** A sorter with a direct and an indirect version, which have a figure. */
  private record Kind(String name, String title) {}

  /** In the paper's order. */
  private static final List<Kind> KINDS =
      List.of(
          new Kind("sample", "sample sort"),
          new Kind("radix", "radix sort"),
          new Kind("grs", "GRS"));

  /**
   * What the paper says of a sorter's times against another's, with 2 and with more other fields.
   */
  private record Claim(
      Layout layout, String who, String other, String ofFew, int many, String ofMany) {}

  private static final List<Claim> CLAIMS =
      List.of(
          byField("sample-indirect", "sample-direct", "36 % faster", 9, "66 % faster"),
          byField("radix-indirect", "radix-direct", "37 % slower", 9, "27 % slower"),
          byField("grs-indirect", "grs-direct", "27 % slower", 9, "33 % slower"),
          byField("radix-direct", "grs-direct", "35 % faster", MOST, "slower (GRS is 38 % faster)"),
          byField("sample-indirect", "grs-direct", "63 % slower", MOST, "48 % slower"),
          hybrid("sample-indirect", "sample-direct", "12 % faster", 9, "72 % faster"),
          hybrid("radix-indirect", "radix-direct", "38 % faster", 9, "79 % faster"),
          hybrid("grs-indirect", "grs-direct", "13 % slower", 9, "41 % faster"),
          hybrid("radix-indirect", "grs-indirect", "27 % faster", MOST, "3 % faster"),
          hybrid("radix-indirect", "sample-indirect", "71 % faster", MOST, "16 % faster"));

  private static Claim byField(String who, String other, String few, int many, String ofMany) {
    return new Claim(Layout.BY_FIELD, who, other, few, many, ofMany);
  }

  private static Claim hybrid(String who, String other, String few, int many, String ofMany) {
    return new Claim(Layout.HYBRID, who, other, few, many, ofMany);
  }

  private final PaperSetting setting;
  private final Consumer<String> out;

  SahniPaper(PaperSetting setting, Consumer<String> out) {
    this.setting = setting;
    this.out = out;
  }

  Paper.Results run() throws IOException {
    long count = setting.mostKeys();
    List<Figure> figures = new ArrayList<>();
    List<Line> byField;
    List<Line> hybrid;
    try (RecordRace race = new RecordRace(setting.device().orElseThrow(), count, MOST)) {
      byField = race(race, Layout.BY_FIELD);
      hybrid = race(race, Layout.HYBRID);
    }
    figures.addAll(figures(7, Layout.BY_FIELD, byField));
    figures.addAll(figures(11, Layout.HYBRID, hybrid));
    List<String> findings = new ArrayList<>();
    findings.addAll(findings(Layout.BY_FIELD, byField));
    findings.add(
        "The paper: by field, direct radix sort is the fastest with 2 to 11 other fields, direct GRS with more. Here: %s."
            .formatted(fastest(byField)));
    findings.addAll(findings(Layout.HYBRID, hybrid));
    findings.add(
        "The paper: hybrid, indirect radix sort is the fastest with any number of other fields. Here: %s."
            .formatted(fastest(hybrid)));
    return new Paper.Results(figures, List.of(table(byField, hybrid)), findings);
  }

  private static String name(Layout layout) {
    return layout == Layout.BY_FIELD ? "by field" : "hybrid";
  }

  /** The times of all sorters. */
  private List<Line> race(RecordRace race, Layout layout) throws IOException {
    out.accept(
        String.format(Locale.ROOT, "%n%,d records %s, ms", setting.mostKeys(), name(layout)));
    Map<String, List<Point>> points = new LinkedHashMap<>();
    for (int others : OTHERS) {
      StringBuilder row = new StringBuilder("%3d other fields:".formatted(others));
      for (Map.Entry<String, List<Double>> times :
          race.run(layout, others, setting.rounds()).entrySet()) {
        Spread spread =
            Spread.of(times.getValue().stream().mapToDouble(seconds -> 1e3 * seconds).toArray());
        points
            .computeIfAbsent(times.getKey(), name -> new ArrayList<>())
            .add(new Point(others, spread.median(), spread.least(), spread.most()));
        row.append(String.format(Locale.ROOT, "  %s %.3f", times.getKey(), spread.median()));
      }
      out.accept(row.toString());
    }
    return points.entrySet().stream()
        .map(line -> new Line(line.getKey(), false, line.getValue()))
        .toList();
  }

  private static Line line(List<Line> lines, String name) {
    return lines.stream().filter(line -> line.name().equals(name)).findFirst().orElseThrow();
  }

  /**
   * One figure for each kind of sorter, and one with the version of each that takes less time over
   * all numbers of fields.
   */
  private List<Figure> figures(int number, Layout layout, List<Line> lines) {
    List<Figure> figures = new ArrayList<>();
    List<Line> faster = new ArrayList<>();
    for (Kind kind : KINDS) {
      List<Line> both =
          List.of(line(lines, kind.name() + "-direct"), line(lines, kind.name() + "-indirect"));
      faster.add(both.stream().min(Comparator.comparingDouble(SahniPaper::sum)).orElseThrow());
      figures.add(figure(number + figures.size(), layout, kind.title(), upTo9(both)));
    }
    figures.add(figure(number + figures.size(), layout, "the faster versions of all", faster));
    return figures;
  }

  private static double sum(Line line) {
    return line.points().stream().mapToDouble(Point::y).sum();
  }

  private static List<Line> upTo9(List<Line> lines) {
    return lines.stream()
        .map(
            line ->
                new Line(
                    line.name(),
                    false,
                    line.points().stream().filter(point -> point.x() <= MOST_OF_A_KIND).toList()))
        .toList();
  }

  private Figure figure(int number, Layout layout, String sorters, List<Line> lines) {
    return new Figure(
        "figure-" + number,
        String.format(
            Locale.ROOT,
            "Figure %d: time of %,d records %s, %s",
            number,
            setting.mostKeys(),
            name(layout),
            sorters),
        "other fields",
        "ms",
        false,
        false,
        lines);
  }

  // ---- what the paper's text says

  private static PaperTable table(List<Line> byField, List<Line> hybrid) {
    List<List<String>> rows = new ArrayList<>();
    for (Claim claim : CLAIMS) {
      List<Line> lines = claim.layout() == Layout.BY_FIELD ? byField : hybrid;
      rows.add(row(claim, FEW, claim.ofFew(), lines));
      rows.add(row(claim, claim.many(), claim.ofMany(), lines));
    }
    return new PaperTable(
        "section-7",
        "Section VII: times against another sorter's (25 % faster: three quarters of its time)",
        List.of("layout", "sorter", "against", "other fields", "paper", "here"),
        rows);
  }

  private static List<String> row(Claim claim, int others, String paper, List<Line> lines) {
    return List.of(
        name(claim.layout()),
        claim.who(),
        claim.other(),
        Integer.toString(others),
        paper,
        compared(claim, others, lines));
  }

  private static List<String> findings(Layout layout, List<Line> lines) {
    return CLAIMS.stream()
        .filter(claim -> claim.layout() == layout)
        .map(
            claim ->
                "The paper: %s, %s is %s than %s with %d other fields, %s with %d. Here it is %s and %s."
                    .formatted(
                        name(layout),
                        claim.who(),
                        claim.ofFew(),
                        claim.other(),
                        FEW,
                        claim.ofMany(),
                        claim.many(),
                        compared(claim, FEW, lines),
                        compared(claim, claim.many(), lines)))
        .toList();
  }

  private static String compared(Claim claim, int others, List<Line> lines) {
    double change = line(lines, claim.who()).at(others) / line(lines, claim.other()).at(others) - 1;
    return String.format(
        Locale.ROOT, "%.0f %% %s", 100 * Math.abs(change), change < 0 ? "faster" : "slower");
  }

  /** Ranges of other fields and the fastest sorter there. */
  private static String fastest(List<Line> lines) {
    List<String> ranges = new ArrayList<>();
    for (int from = 0, next; from < OTHERS.length; from = next) {
      String name = fastest(lines, OTHERS[from]);
      next = from + 1;
      while (next < OTHERS.length && fastest(lines, OTHERS[next]).equals(name)) {
        next++;
      }
      int last = OTHERS[next - 1];
      ranges.add(
          OTHERS[from] == last
              ? "%s with %d".formatted(name, last)
              : "%s with %d to %d".formatted(name, OTHERS[from], last));
    }
    return String.join(", ", ranges);
  }

  private static String fastest(List<Line> lines, int others) {
    return lines.stream()
        .min(Comparator.comparingDouble(line -> line.at(others)))
        .orElseThrow()
        .name();
  }
}
