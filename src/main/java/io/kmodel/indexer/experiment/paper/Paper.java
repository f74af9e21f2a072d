package io.kmodel.indexer.experiment.paper;

import com.google.errorprone.annotations.Immutable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A paper whose comparisons can be rerun. */
public enum Paper {
  CAPANNINI(
      "Capannini, Silvestri, Baraglia: Sorting on GPUs for large scale datasets: a thorough"
          + " comparison. Information Processing and Management, 2010",
      1,
      (setting, out) -> new CapanniniPaper(setting, out).run()),
  SATISH(
      "Satish, Kim, Chhugani, Nguyen, Lee, Kim, Dubey: Fast sort on CPUs and GPUs: a case for"
          + " bandwidth oblivious SIMD sort. SIGMOD 2010",
      0,
      (setting, out) -> new SatishPaper(setting, out).run()),
  SAHNI(
      "Bandyopadhyay, Sahni: Sorting large multifield records on a GPU. International Conference on"
          + " Parallel and Distributed Systems, 2011",
      1,
      (setting, out) -> new SahniPaper(setting, out).run()),
  DAVIDSON(
      "Davidson, Tarjan, Garland, Owens: Efficient parallel merge sort for fixed and variable"
          + " length keys. InPar 2012",
      1,
      (setting, out) -> new DavidsonPaper(setting, setting.device().orElseThrow(), out).run()),
  TANASIC(
      "Tanasic, Vilanova, Jordà, Cabezas, Gelado, Navarro, Hwu: Comparison based sorting for"
          + " systems with multiple GPUs. GPGPU-6, 2013",
      2,
      (setting, out) -> new TanasicPaper(setting, out).run());

  /** What the comparisons yield. */
  record Results(List<Figure> figures, List<PaperTable> tables, List<String> findings) {}

  @Immutable
  @FunctionalInterface
  private interface Comparisons {
    Results run(PaperSetting setting, Consumer<String> out) throws IOException;
  }

  private final String title;
  private final int leastDevices;
  private final Comparisons comparisons;

  Paper(String title, int leastDevices, Comparisons comparisons) {
    this.title = title;
    this.leastDevices = leastDevices;
    this.comparisons = comparisons;
  }

  /** Authors, title, place and year. */
  public String title() {
    return title;
  }

  /** Whether all sorters of its comparisons run on a GPU. */
  public boolean needsDevice() {
    return leastDevices > 0;
  }

  /** Whether it compares several GPUs, not only sorters on one. */
  public boolean usesAllDevices() {
    return leastDevices > 1;
  }

  /**
   * Runs all comparisons.
   *
   * @param machine where it runs, for the report
   * @param out gets the table of each race
   * @throws java.nio.channels.ClosedByInterruptException if the thread is interrupted
   */
  public PaperReport run(PaperSetting setting, Map<String, String> machine, Consumer<String> out)
      throws IOException {
    if (needsDevice() && setting.devices().isEmpty()) {
      throw new IllegalArgumentException("all sorters of this paper need a GPU");
    }
    if (usesAllDevices() && setting.devices().size() < leastDevices) {
      throw new IllegalArgumentException(
          "this paper compares one GPU with several; the only one here is "
              + setting.devices().getFirst().info());
    }
    Results results = comparisons.run(setting, out);
    return new PaperReport(title, machine, results.figures(), results.tables(), results.findings());
  }
}
