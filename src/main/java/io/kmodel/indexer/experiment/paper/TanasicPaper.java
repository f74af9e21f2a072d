package io.kmodel.indexer.experiment.paper;

import io.kmodel.indexer.experiment.KeyDistribution;
import io.kmodel.indexer.experiment.SortContestants;
import io.kmodel.indexer.experiment.SortSetting;
import io.kmodel.indexer.experiment.Spread;
import io.kmodel.indexer.experiment.paper.Comparison.Axis;
import io.kmodel.indexer.experiment.paper.Comparison.Unit;
import io.kmodel.indexer.experiment.paper.Figure.Line;
import io.kmodel.indexer.experiment.paper.Figure.Point;
import io.kmodel.indexer.experiment.paper.TeamRaces.Sort;
import io.kmodel.indexer.experiment.paper.TeamTimes.Step;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.ToDoubleFunction;

/**
 * Sorts over several GPUs: rates without and with transfers beside the CPU's (Figure 6), speed-up
 * (Figure 7), the share of transfers (Figure 8) and of each phase (Figure 9). GPUs sort their keys
 * by merge sort, as in the paper; a table has other sorts. The paper's keys have values of 32 bits;
 * these have none.
 */
final class TanasicPaper {
  private static final String MERGE = TeamRaces.MERGE;
  private static final List<String> ON_CPU =
      List.of("arrays-parallel-sort", SortContestants.SIMD_MERGE);

  private static final List<Integer> KEY_BYTES = List.of(Integer.BYTES, Long.BYTES);

  /** Of section 5.3: four GPUs over one with 2^28 records, and over two with 2^29. */
  private static final List<Line> PAPER_SPEED_UPS =
      List.of(
          new Line("4 GPUs over 1", true, List.of(Point.of(1 << 28, 3.3))),
          new Line("4 GPUs over 2", true, List.of(Point.of(1 << 29, 1.7))));

  private final PaperSetting setting;
  private final Races races;
  private final TeamRaces team;
  private final List<Integer> counts;

  TanasicPaper(PaperSetting setting, Consumer<String> out) {
    SortSetting.requireKeys(setting.mostKeys());
    this.setting = setting;
    this.races = new Races(setting, out);
    this.team = new TeamRaces(setting, races.sizes(), out);
    this.counts = team.counts();
  }

  Paper.Results run() throws IOException {
    team.run(KEY_BYTES);
    List<Figure> figures = new ArrayList<>();
    List<Figure> withTransfers = new ArrayList<>();
    for (int keyBytes : KEY_BYTES) {
      figures.add(
          figure("figure-6a", "Figure 6(a): rate", "million keys/s", keyBytes, rates(keyBytes)));
      withTransfers.add(figure6b(keyBytes));
      figures.add(withTransfers.getLast());
      List<Line> speedUps = speedUps(keyBytes);
      if (keyBytes == Integer.BYTES) {
        speedUps.addAll(PAPER_SPEED_UPS);
      }
      figures.add(figure("figure-7", "Figure 7: speed-up", "times", keyBytes, speedUps));
    }
    figures.add(figure8());
    for (int keyBytes : KEY_BYTES) {
      String title = "Figure 9: shares of the time of a sort on %d GPUs".formatted(most());
      figures.add(figure("figure-9", title, "%", keyBytes, phases(keyBytes)));
    }
    TanasicFindings findings = new TanasicFindings(team, counts, setting.threads());
    return new Paper.Results(
        figures, List.of(table()), findings.all(withTransfers.getFirst(), ON_CPU));
  }

  private int most() {
    return counts.getLast();
  }

  private static String gpus(int count) {
    return count == 1 ? "1 GPU" : count + " GPUs";
  }

  private static Figure figure(
      String id, String title, String unit, int keyBytes, List<Line> lines) {
    int bits = Byte.SIZE * keyBytes;
    String idOfWidth = keyBytes == Integer.BYTES ? id : id + "-%d-bits".formatted(bits);
    String titleOfWidth = "%s, keys of %d bits".formatted(title, bits);
    return new Figure(idOfWidth, titleOfWidth, "keys", unit, true, false, lines);
  }

  /** A line by number of keys. */
  private Line line(String name, Sort sort, ToDoubleFunction<TeamTimes> value) {
    return byKeys(name, keys -> team.times(sort.of(keys)).stream().mapToDouble(value).toArray());
  }

  private Line byKeys(String name, LongFunction<double[]> values) {
    List<Point> points = new ArrayList<>();
    for (long keys : races.sizes()) {
      Spread spread = Spread.of(values.apply(keys));
      points.add(new Point((double) keys, spread.median(), spread.least(), spread.most()));
    }
    return new Line(name, false, points);
  }

  private List<Line> rates(int keyBytes) {
    List<Line> lines = new ArrayList<>();
    for (int count : counts) {
      lines.add(rate(gpus(count), new Sort(MERGE, keyBytes, count, 0), TeamTimes::sorting));
    }
    return lines;
  }

  private Line rate(String name, Sort sort, ToDoubleFunction<TeamTimes> seconds) {
    return byKeys(
        name,
        keys ->
            team.times(sort.of(keys)).stream()
                .mapToDouble(times -> keys / seconds.applyAsDouble(times) / 1e6)
                .toArray());
  }

  private Figure figure6b(int keyBytes) throws IOException {
    Figure onCpu =
        races.run(
            new Comparison(
                "figure-6b",
                "Figure 6(b): the CPU's sorts, keys of %d bits".formatted(Byte.SIZE * keyBytes),
                Axis.KEYS,
                Unit.MILLION_KEYS_PER_SECOND,
                ON_CPU,
                SortSetting.all(
                    races.sizes(),
                    List.of(TeamKeys.bits(keyBytes)),
                    List.of(KeyDistribution.UNIFORM),
                    setting.threads()),
                List.of()));
    List<Line> lines = new ArrayList<>();
    for (int count : counts) {
      lines.add(rate(gpus(count), new Sort(MERGE, keyBytes, count, 0), TeamTimes::all));
    }
    lines.addAll(onCpu.lines());
    String title = "Figure 6(b): rate with transfers from and to the host";
    return figure("figure-6b", title, "million keys/s", keyBytes, lines);
  }

  /** Over one GPU, and of the most GPUs over the next smaller number. */
  private List<Line> speedUps(int keyBytes) {
    List<Line> lines = new ArrayList<>();
    for (int count : counts) {
      if (count > 1) {
        lines.add(speedUp(keyBytes, count, 1));
      }
    }
    if (counts.size() > 2) {
      lines.add(speedUp(keyBytes, most(), counts.get(counts.size() - 2)));
    }
    return lines;
  }

  private Line speedUp(int keyBytes, int count, int over) {
    return byKeys(
        "%s over %d".formatted(gpus(count), over),
        keys ->
            team.speedUps(
                new Sort(MERGE, keyBytes, count, keys), new Sort(MERGE, keyBytes, over, keys)));
  }

  private Figure figure8() {
    List<Line> lines = new ArrayList<>();
    for (int keyBytes : KEY_BYTES) {
      Sort sort = new Sort(MERGE, keyBytes, most(), 0);
      String bits = "%d bits, ".formatted(Byte.SIZE * keyBytes);
      lines.add(line(bits + "to the GPUs", sort, t -> 100 * t.of(Step.UPLOAD) / t.all()));
      lines.add(line(bits + "from the GPUs", sort, t -> 100 * t.of(Step.DOWNLOAD) / t.all()));
    }
    return new Figure(
        "figure-8",
        "Figure 8: share of the transfers in the time on " + gpus(most()),
        "keys",
        "%",
        true,
        false,
        lines);
  }

  private List<Line> phases(int keyBytes) {
    Sort sort = new Sort(MERGE, keyBytes, most(), 0);
    return List.of(
        line("local sorts", sort, t -> 100 * t.of(Step.SORT) / t.sorting()),
        line("pivots", sort, t -> 100 * t.of(Step.PIVOTS) / t.sorting()),
        line("exchange", sort, t -> 100 * t.of(Step.EXCHANGE) / t.sorting()),
        line("merges", sort, t -> 100 * t.of(Step.MERGE) / t.sorting()));
  }

  /** All sorters with the most keys. */
  private PaperTable table() {
    long keys = races.sizes().getLast();
    List<List<String>> rows = new ArrayList<>();
    for (int keyBytes : KEY_BYTES) {
      for (String sorter : TeamRaces.SORTERS) {
        for (int count : counts) {
          rows.add(row(new Sort(sorter, keyBytes, count, keys)));
        }
      }
    }
    return new PaperTable(
        "sorts",
        String.format(
            Locale.ROOT,
            "%,d keys by other sorts on each GPU: rates in million keys/s, times in ms",
            keys),
        List.of(
            "bits",
            "sort",
            "GPUs",
            "rate",
            "speed-up",
            "with transfers",
            "local sorts",
            "pivots",
            "exchange",
            "merges"),
        rows);
  }

  private List<String> row(Sort sort) {
    List<String> row = new ArrayList<>();
    row.add(Integer.toString(Byte.SIZE * sort.keyBytes()));
    row.add(sort.sorter());
    row.add(Integer.toString(sort.devices()));
    row.add(figure(0, sort.keys() / team.median(sort, TeamTimes::sorting) / 1e6));
    row.add(figure(2, Spread.median(team.speedUps(sort, sort.on(1)))));
    row.add(figure(0, sort.keys() / team.median(sort, TeamTimes::all) / 1e6));
    for (Step step : List.of(Step.SORT, Step.PIVOTS, Step.EXCHANGE, Step.MERGE)) {
      row.add(figure(3, 1e3 * team.median(sort, times -> times.of(step))));
    }
    return row;
  }

  private static String figure(int digits, double value) {
    return String.format(Locale.ROOT, "%,." + digits + "f", value);
  }
}
