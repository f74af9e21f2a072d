package io.kmodel.indexer.experiment.paper;

import io.kmodel.indexer.experiment.KeyDistribution;
import io.kmodel.indexer.experiment.SortContestants;
import io.kmodel.indexer.experiment.SortSetting;
import io.kmodel.indexer.experiment.paper.Comparison.Axis;
import io.kmodel.indexer.experiment.paper.Comparison.Unit;
import io.kmodel.indexer.experiment.paper.Figure.Line;
import io.kmodel.indexer.experiment.paper.Figure.Point;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Radix and merge sort on CPUs and GPUs: buffers and digits (section 4.3.1), Figures 5, 6 and 7,
 * and Table 1. Keys have 8 bytes on the CPU, and 4 on the GPU up to 32 bits.
 */
final class SatishPaper {
  private static final String CPU_RADIX = "radix";
  private static final String CPU_MERGE = SortContestants.SIMD_MERGE;
  private static final String GPU_RADIX = "gpu-split";
  private static final String GPU_MERGE = "gpu-bitonic-merge";
  private static final String GPU_LOOK_BACK = "gpu-radix";
  private static final String GPU_PATH = "gpu-merge";

  /** Both sorts on both, and those that are faster on today's GPUs. */
  private static final List<String> BOTH_ON_BOTH =
      List.of(CPU_RADIX, CPU_MERGE, GPU_RADIX, GPU_MERGE, GPU_LOOK_BACK, GPU_PATH);

  private static final int BITS = 32;

  /** The widest keys that the CPU's sorters take, for the paper's 64 bits. */
  private static final int WIDE_BITS = 62;

  /** In descending order of entropy. */
  private static final List<KeyDistribution> ENTROPIES =
      List.of(
          KeyDistribution.UNIFORM,
          KeyDistribution.AND_2,
          KeyDistribution.AND_3,
          KeyDistribution.AND_4,
          KeyDistribution.AND_5,
          KeyDistribution.ALL_EQUAL);

  /** Numbers of keys of Table 1. */
  private static final long[] TABLE_1_KEYS = {1 << 18, 1 << 20, 1 << 22, 1 << 24, 1 << 26};

  /** Of Table 1, in ms: a Core i7 of four cores, and a GTX 280. */
  private static final double[] PAPER_CPU_RADIX = {1.1, 4.4, 17.2, 67.6, 271.0};

  private static final double[] PAPER_CPU_MERGE = {1.2, 5.3, 23.3, 101.5, 439.7};
  private static final double[] PAPER_GPU_RADIX = {2.1, 5.4, 20.8, 81.7, 333.4};
  private static final double[] PAPER_GPU_MERGE = {1.3, 5.0, 21.6, 94.5, 381.8};
  private static final double[] PAPER_GPU_SAMPLE = {2.5, 9.1, 38.1, 139.8, 524.3};

  private final PaperSetting setting;
  private final Races races;

  SatishPaper(PaperSetting setting, Consumer<String> out) {
    SortSetting.requireKeys(setting.mostKeys());
    this.setting = setting;
    this.races = new Races(setting, out);
  }

  Paper.Results run() throws IOException {
    Figure buffers = races.run(buffers());
    Figure bySize = races.run(bySize());
    Figure byEntropy = races.run(byEntropy());
    Figure byBits = races.run(byBits());
    Figure all = races.run(all());
    return new Paper.Results(
        List.of(buffers, bySize, byEntropy, byBits, all),
        List.of(figure7(byBits)),
        findings(bySize, byEntropy));
  }

  private List<SortSetting> uniform(List<Long> keys, Integer... bits) {
    return SortSetting.all(
        keys, List.of(bits), List.of(KeyDistribution.UNIFORM), setting.threads());
  }

  private Comparison buffers() {
    return new Comparison(
        "section-4.3.1",
        "Section 4.3.1: radix sort on the CPU, buffers and bits of a digit",
        Axis.BITS,
        Unit.NANOS_PER_KEY,
        List.of(CPU_RADIX, "radix-8", "buffered-radix-11", "buffered-radix-8"),
        uniform(races.most(), 22, BITS, 44, WIDE_BITS),
        List.of());
  }

  private Comparison bySize() {
    return new Comparison(
        "figure-5",
        "Figure 5: rate by number of integers, uniform",
        Axis.KEYS,
        Unit.MILLION_KEYS_PER_SECOND,
        BOTH_ON_BOTH,
        uniform(races.sizes(), BITS),
        List.of(
            rates("CPU radix", PAPER_CPU_RADIX),
            rates("CPU merge", PAPER_CPU_MERGE),
            rates("GPU radix", PAPER_GPU_RADIX),
            rates("GPU merge", PAPER_GPU_MERGE)));
  }

  private Comparison byEntropy() {
    return new Comparison(
        "figure-6",
        "Figure 6: rate by entropy of integers",
        Axis.ENTROPY,
        Unit.MILLION_KEYS_PER_SECOND,
        BOTH_ON_BOTH,
        SortSetting.all(races.most(), List.of(BITS), ENTROPIES, setting.threads()),
        List.of());
  }

  private Comparison byBits() {
    return new Comparison(
        "figure-7",
        "Figure 7: time by bits of a key",
        Axis.BITS,
        Unit.NANOS_PER_KEY,
        BOTH_ON_BOTH,
        uniform(races.most(), BITS, WIDE_BITS),
        List.of());
  }

  private Comparison all() {
    List<String> sorters = new ArrayList<>(SortContestants.DEFAULT);
    sorters.addAll(List.of(GPU_RADIX, GPU_MERGE, "gpu-sample-sort"));
    return new Comparison(
        "table-1",
        "Table 1: all sorts",
        Axis.KEYS,
        Unit.MILLIS,
        sorters,
        uniform(races.sizes(), BITS),
        List.of(
            times("CPU radix", PAPER_CPU_RADIX),
            times("CPU merge", PAPER_CPU_MERGE),
            times("GPU radix", PAPER_GPU_RADIX),
            times("GPU merge", PAPER_GPU_MERGE),
            times("GPU sample sort", PAPER_GPU_SAMPLE)));
  }

  private static Line times(String name, double[] millis) {
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < millis.length; i++) {
      points.add(Point.of((double) TABLE_1_KEYS[i], millis[i]));
    }
    return new Line(name, true, points);
  }

  private static Line rates(String name, double[] millis) {
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < millis.length; i++) {
      points.add(Point.of((double) TABLE_1_KEYS[i], (double) TABLE_1_KEYS[i] / millis[i] / 1e3));
    }
    return new Line(name, true, points);
  }

  /** Times of wide keys relative to those of 32 bits. */
  private static PaperTable figure7(Figure byBits) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(wide(byBits.line(CPU_RADIX), "2.7"));
    rows.add(wide(byBits.line(CPU_MERGE), "1.8"));
    rows.add(wide(byBits.line(GPU_RADIX), "3.0"));
    rows.add(wide(byBits.line(GPU_MERGE), "2.1"));
    rows.add(wide(byBits.line(GPU_LOOK_BACK), ""));
    rows.add(wide(byBits.line(GPU_PATH), ""));
    rows.removeIf(row -> row.get(2).equals("NaN"));
    return new PaperTable(
        "figure-7",
        "Figure 7: time of keys of 62 bits (64 in the paper) divided by that of 32",
        List.of("sorter", "paper", "here"),
        rows);
  }

  private static List<String> wide(Line line, String paper) {
    double ratio = line.at(WIDE_BITS) / line.at(BITS);
    return List.of(line.name(), paper, String.format(Locale.ROOT, "%.2f", ratio));
  }

  private List<String> findings(Figure bySize, Figure byEntropy) {
    List<String> findings = new ArrayList<>();
    double most = bySize.line(CPU_RADIX).points().getLast().x();
    double cpuRadix = bySize.line(CPU_RADIX).at(most);
    double cpuMerge = bySize.line(CPU_MERGE).at(most);
    if (Double.isNaN(cpuMerge)) {
      findings.add("This machine has no vectors for the merge sort on the CPU.");
    } else {
      findings.add(
          String.format(
              Locale.ROOT,
              "The paper: on a CPU, radix sort is 1.7 times as fast as merge sort at 2^27 keys (four cores). Here, with one thread for radix sort and %d for merge sort, %.2f times at %,.0f keys.",
              setting.threads(),
              cpuRadix / cpuMerge,
              most));
    }
    findings.add(
        String.format(
            Locale.ROOT,
            "The paper: from 32 bits of entropy to none, radix sort gains 12 %% on a CPU, and merge sort less than 5 %%. Here radix sort gains %s%s.",
            gain(byEntropy.line(CPU_RADIX)),
            byEntropy.line(CPU_MERGE).points().isEmpty()
                ? ""
                : ", and merge sort " + gain(byEntropy.line(CPU_MERGE))));
    if (setting.device().isEmpty()) {
      findings.add("The sorters of a GPU were left out.");
      return findings;
    }
    double gpuRadix = bySize.line(GPU_RADIX).at(most);
    double gpuMerge = bySize.line(GPU_MERGE).at(most);
    findings.add(
        String.format(
            Locale.ROOT,
            "The paper: on a GPU, radix sort by splits is a tenth faster than merge sort at 2^26 keys. Here it has %.2f of its rate at %,.0f, and radix sort by one pass a digit %.2f times.",
            gpuRadix / gpuMerge,
            most,
            bySize.line(GPU_LOOK_BACK).at(most) / gpuMerge));
    findings.add(
        String.format(
            Locale.ROOT,
            "The paper: the same gains radix sort 20 %% on a GPU. Here radix sort gains %s by splits and %s by one pass a digit.",
            gain(byEntropy.line(GPU_RADIX)),
            gain(byEntropy.line(GPU_LOOK_BACK))));
    return findings;
  }

  private static String gain(Line line) {
    double ratio = line.points().getLast().y() / line.points().getFirst().y();
    return String.format(Locale.ROOT, "%.0f %%", 100 * (ratio - 1));
  }
}
