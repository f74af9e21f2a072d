package io.kmodel.indexer.experiment;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kmodel.indexer.gpu.GpuProbe;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.sort.DeviceChoice;
import io.kmodel.indexer.sort.SortReport;
import io.kmodel.indexer.store.disk.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Compares the three indexers of Fig. 7 on one corpus, and a fourth. They sort on the CPU, on a GPU
 * while the threads wait, and on a GPU while the threads continue parsing; the fourth makes runs of
 * text on the GPU. Each build is a separate process; the indexers take turns, and the first round
 * is not recorded. Before any figures are printed, all files of every index except the report are
 * compared with those of the first.
 */
public final class PipelineExperiment {
  /**
   * Resources that the builds use.
   *
   * @param work directory in which they get a {@link WorkPlace}
   * @param gpu GPUs only, so that the names of the rows are true
   */
  public record Setting(Path corpus, Path work, int threads, long memoryBytes, DeviceChoice gpu) {
    public Setting {
      if (gpu.kind() != DeviceChoice.Kind.GPU) {
        throw new IllegalArgumentException(
            "--device must be gpu, or a list such as gpu:0,2 (for all rows but Index_cpu); got "
                + gpu);
      }
    }
  }

  /** The medians of an indexer's builds, in seconds. */
  public record Row(String indexer, double parseAndSort, double merge, double total) {}

  /** An indexer of the figure. */
  private record Indexer(String name, List<String> options) {}

  private static final Indexer CPU = new Indexer("Index_cpu", List.of("--device", "cpu"));

  /** Values of --pipeline, by the names of the indexers. */
  private static final ImmutableMap<String, String> GPU_PIPELINES =
      ImmutableMap.of("Index_gpu", "serial", "Index_gpu+", "overlapped", "Index_inv", "inverted");

  private final Setting setting;
  private final int rounds;
  private final Consumer<String> out;

  public PipelineExperiment(Setting setting, int rounds, Consumer<String> out) {
    if (rounds < 1) {
      throw new IllegalArgumentException("rounds must be at least 1; got " + rounds);
    }
    this.setting = setting;
    this.rounds = rounds;
    this.out = out;
  }

  /**
   * Runs all indexers, or only the CPU's if there is no GPU, and prints a table.
   *
   * @throws IllegalArgumentException if the corpus and the work directory overlap, or a named GPU
   *     does not exist
   */
  public List<Row> run(GpuProbe probe) throws IOException, InterruptedException {
    if (probe.isAvailable()) {
      out.accept("on " + setting.gpu().among(probe));
    }
    List<Indexer> indexers = new ArrayList<>();
    indexers.add(CPU);
    if (probe.isAvailable()) {
      GPU_PIPELINES.forEach(
          (name, pipeline) ->
              indexers.add(
                  new Indexer(
                      name,
                      List.of("--device", setting.gpu().toString(), "--pipeline", pipeline))));
    }
    Map<Indexer, List<BuildReport>> reports = new LinkedHashMap<>();
    try (WorkPlace place = WorkPlace.take(setting.work(), setting.corpus())) {
      for (int round = 0; round <= rounds; round++) {
        for (Indexer indexer : indexers) {
          BuildReport report = build(indexer, place.directory());
          if (round > 0) {
            reports.computeIfAbsent(indexer, i -> new ArrayList<>()).add(report);
          }
        }
      }
    }
    tell(reports);
    List<Row> rows = new ArrayList<>();
    reports.forEach((indexer, all) -> rows.add(row(indexer, all)));
    return rows;
  }

  private static Row row(Indexer indexer, List<BuildReport> all) {
    return new Row(
        indexer.name(),
        median(all, r -> phase(r, "parse")),
        median(all, r -> phase(r, "merge")),
        median(all, BuildReport::seconds));
  }

  /** Builds an index and compares it with the first one, which is kept. */
  private BuildReport build(Indexer indexer, Path work) throws IOException, InterruptedException {
    Path expected = work.resolve("expected");
    Path output = work.resolve("index");
    Child.End end = Child.run(new ProcessBuilder(command(indexer, output)));
    // Exit code 1: documents were skipped.
    if (end.exit() > 1) {
      throw end.failure(indexer.name());
    }
    BuildReport report = BuildReport.read(output);
    if (Files.exists(expected)) {
      requireSame(indexer.name(), expected, output);
      Directories.deleteTree(output);
    } else {
      Files.move(output, expected);
    }
    return report;
  }

  private List<String> command(Indexer indexer, Path output) {
    return ImmutableList.<String>builder()
        .addAll(JavaOptions.ofBuild(setting.memoryBytes()))
        .add("build", setting.corpus().toString(), "--output", output.toString())
        .add("--store=id", "--quiet", "--threads=" + setting.threads())
        .add("--memory=" + setting.memoryBytes())
        .addAll(indexer.options())
        .build();
  }

  /** Checks that both have the same files with the same bytes, except reports. */
  static void requireSame(String indexer, Path expected, Path actual) throws IOException {
    Set<String> names = names(expected);
    Set<String> others = names(actual);
    if (!names.equals(others)) {
      throw new IllegalStateException(
          "%s: expected Index_cpu's files, %s; got %s".formatted(indexer, names, others));
    }
    for (String name : names) {
      if (Files.mismatch(expected.resolve(name), actual.resolve(name)) >= 0) {
        throw new IllegalStateException(
            "%s: %s is not the same as Index_cpu's".formatted(indexer, name));
      }
    }
  }

  private static Set<String> names(Path index) throws IOException {
    try (Stream<Path> files = Files.list(index)) {
      return files
          .filter(file -> !BuildReport.isReport(file))
          .map(file -> file.getFileName().toString())
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private void tell(Map<Indexer, List<BuildReport>> reports) {
    out.accept(
        String.format(
            Locale.ROOT,
            "%-12s %12s %10s %10s %14s %24s",
            "seconds",
            "parse+sort",
            "merge",
            "total",
            "sort or wait",
            "all runs, devices / CPU"));
    reports.forEach(
        (indexer, all) ->
            out.accept(
                String.format(
                    Locale.ROOT,
                    "%-12s %12.2f %10.2f %10.2f %12.1f %% %18d / %d",
                    indexer.name(),
                    median(all, r -> phase(r, "parse")),
                    median(all, r -> phase(r, "merge")),
                    median(all, BuildReport::seconds),
                    100 * median(all, this::waiting),
                    all.stream()
                        .flatMap(report -> report.sorting().stage().devices().stream())
                        .mapToLong(d -> d.runs())
                        .sum(),
                    all.stream().mapToLong(report -> report.sorting().stage().cpuRuns()).sum())));
    reports.forEach(
        (indexer, all) -> {
          if (!indexer.equals(CPU)) {
            warning(indexer.name(), all.stream().map(r -> r.sorting().stage()).toList())
                .ifPresent(out);
          }
        });
  }

  /**
   * The warning for a row of GPU builds in which the CPU sorted some of the runs.
   *
   * @param builds reports of one indexer's builds
   */
  static Optional<String> warning(String indexer, List<SortReport> builds) {
    long byCpu = builds.stream().mapToLong(SortReport::cpuRuns).sum();
    if (byCpu == 0) {
      return Optional.empty();
    }
    long byDevices =
        builds.stream().flatMap(r -> r.devices().stream()).mapToLong(SortReport.Device::runs).sum();
    Map<String, Long> reasons = new TreeMap<>();
    builds.forEach(r -> r.cpuReasons().forEach((why, runs) -> reasons.merge(why, runs, Long::sum)));
    return Optional.of(
        String.format(
            Locale.ROOT,
            "warning: %s did not use GPUs only: the CPU made %,d of %,d runs: %s",
            indexer,
            byCpu,
            byCpu + byDevices,
            reasons));
  }

  /** Share of the parsing threads' time spent sorting or waiting for sorting. */
  private double waiting(BuildReport report) {
    return report.sorting().threadSeconds()
        / Math.max(1e-9, setting.threads() * phase(report, "parse"));
  }

  private static double phase(BuildReport report, String name) {
    return report.phases().stream()
        .filter(phase -> phase.name().equals(name))
        .mapToDouble(BuildReport.Phase::seconds)
        .sum();
  }

  private static double median(List<BuildReport> reports, ToDoubleFunction<BuildReport> value) {
    return Spread.of(reports.stream().mapToDouble(value).toArray()).median();
  }
}
