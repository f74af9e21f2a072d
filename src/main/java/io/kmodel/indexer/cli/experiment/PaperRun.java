package io.kmodel.indexer.cli.experiment;

import com.google.common.collect.ImmutableMap;
import io.kmodel.indexer.cli.base.Output;
import io.kmodel.indexer.cli.option.Resources;
import io.kmodel.indexer.experiment.PipelineExperiment;
import io.kmodel.indexer.experiment.RaceDevice;
import io.kmodel.indexer.experiment.SortContestants;
import io.kmodel.indexer.experiment.paper.IndexerTable;
import io.kmodel.indexer.experiment.paper.Paper;
import io.kmodel.indexer.experiment.paper.PaperFiles;
import io.kmodel.indexer.experiment.paper.PaperReport;
import io.kmodel.indexer.experiment.paper.PaperSetting;
import io.kmodel.indexer.gpu.GpuProbe;
import io.kmodel.indexer.sort.DeviceChoice;
import io.kmodel.indexer.sort.lab.VectorSupport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A rerun of one paper's comparisons: {@code indexer experiment sort --paper NAME}. */
record PaperRun(Paper paper, long keys, int rounds, int threads, DeviceChoice device) {
  /** Memory of a build, the default. */
  private static final long BUILD_BYTES = 4L << 30;

  /** The JDK reads this property when it creates the common pool, which its parallel sort uses. */
  private static final String COMMON_POOL = "java.util.concurrent.ForkJoinPool.common.parallelism";

  /**
   * Runs everything, prints tables and findings, and writes files.
   *
   * @param corpus a crawl to build indexes of, for Table 2 of Capannini et al.
   * @param output the directory for JSON, CSV, figures and a page; none are written without it
   */
  void run(PrintWriter out, @Nullable Path corpus, @Nullable Path output)
      throws IOException, InterruptedException {
    System.setProperty(COMMON_POOL, Integer.toString(SortContestants.jdkPool(threads)));
    List<RaceDevice> chosen = chosen(out);
    PaperSetting setting = new PaperSetting(keys, rounds, threads, chosen);
    PaperReport report = paper.run(setting, machine(chosen), Output.lines(out));
    if (corpus != null) {
      report = report.with(IndexerTable.of(build(corpus, out)));
    }
    show(report, out, output);
  }

  /** Builds an index of a corpus with each indexer of Figure 7. */
  private List<PipelineExperiment.Row> build(Path corpus, PrintWriter out)
      throws IOException, InterruptedException {
    PipelineExperiment.Setting setting =
        new PipelineExperiment.Setting(
            corpus,
            Path.of("target/experiment"),
            Resources.defaultThreads(BUILD_BYTES),
            BUILD_BYTES,
            device.kind() == DeviceChoice.Kind.GPU ? device : DeviceChoice.parse("gpu"));
    return new PipelineExperiment(setting, rounds, Output.lines(out)).run(GpuProbe.look());
  }

  /** Prints a report, and writes its files if there is a directory for them. */
  void show(PaperReport report, PrintWriter out, @Nullable Path output) throws IOException {
    report.tables().forEach(table -> out.printf("%n%s", table));
    report.findings().forEach(finding -> out.printf("%n%s%n", finding));
    if (output != null) {
      String name = paper.name().toLowerCase(Locale.ROOT);
      Optional<String> obstacle = new PaperFiles(output, name).write(report);
      out.printf("%nwritten: %s%n", output.resolve(name + ".html"));
      obstacle.ifPresent(
          why ->
              out.printf(
                  "no figures: %s; draw them elsewhere by --paper %s --from %s%n",
                  why, name, output.resolve(name + ".json")));
    }
    out.flush();
  }

  private List<RaceDevice> chosen(PrintWriter out) {
    if (device.kind() == DeviceChoice.Kind.CPU) {
      return List.of();
    }
    GpuProbe probe = GpuProbe.look();
    if (probe.isAvailable()) {
      byte[] image = GpuProbe.sorters();
      return device.among(probe).stream()
          .limit(paper.usesAllDevices() ? Integer.MAX_VALUE : 1)
          .map(info -> new RaceDevice(info, image))
          .toList();
    }
    if (device.kind() == DeviceChoice.Kind.GPU || paper.needsDevice()) {
      throw new IllegalArgumentException("this paper's sorters need a GPU: " + probe.reason());
    }
    out.println("no GPU, whose sorters are left out: " + probe.reason());
    return List.of();
  }

  private Map<String, String> machine(List<RaceDevice> chosen) {
    String devices =
        chosen.stream().map(one -> one.info().toString()).collect(Collectors.joining(", "));
    return ImmutableMap.of(
        "date", LocalDate.now(ZoneOffset.UTC).toString(),
        "GPU", devices.isEmpty() ? "none" : devices,
        "processors", Integer.toString(Runtime.getRuntime().availableProcessors()),
        "Java", Runtime.version() + ", " + VectorSupport.probe().reason(),
        "command",
            "indexer experiment sort --paper %s --keys %d --rounds %d --threads %d --device %s"
                .formatted(paper.name().toLowerCase(Locale.ROOT), keys, rounds, threads, device));
  }
}
