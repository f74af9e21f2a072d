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
import io.kmodel.indexer.gpu.GpuInfo;
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

  /**
   * Runs everything, prints tables and findings, and writes files.
   *
   * @param corpus a crawl to build indexes of, for Table 2 of Capannini et al.
   * @param output the directory for JSON, CSV, figures and a page; none are written without it
   */
  void run(PrintWriter out, @Nullable Path corpus, @Nullable Path output)
      throws IOException, InterruptedException {
    SortContestants.limitJdkPool(threads);
    List<RaceDevice> chosen = chosen(out);
    // Refuses a directory that cannot be made before hours of sorting.
    PaperFiles files = output == null ? null : new PaperFiles(output, name());
    PaperSetting setting = new PaperSetting(keys, rounds, threads, chosen);
    List<PipelineExperiment.Row> builds = corpus == null ? List.of() : build(corpus, out);
    PaperReport report = paper.run(setting, machine(chosen), Output.lines(out));
    if (!builds.isEmpty()) {
      report = report.with(IndexerTable.of(builds));
    }
    show(report, out, files);
  }

  private String name() {
    return paper.name().toLowerCase(Locale.ROOT);
  }

  /**
   * Prints the report that another run wrote as JSON, and writes its files.
   *
   * @throws IllegalArgumentException if it is a report of another paper
   */
  void draw(Path json, PrintWriter out, Path output) throws IOException {
    PaperReport report = PaperFiles.read(json);
    if (!report.paper().equals(paper.title())) {
      throw new IllegalArgumentException(
          "%s is a report of another paper: %s".formatted(json, report.paper()));
    }
    show(report, out, new PaperFiles(output, name()));
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
  private void show(PaperReport report, PrintWriter out, @Nullable PaperFiles files)
      throws IOException {
    report.tables().forEach(table -> out.printf("%n%s", table));
    report.findings().forEach(finding -> out.printf("%n%s%n", finding));
    if (files != null) {
      Optional<String> obstacle = files.write(report);
      out.printf("%nwritten: %s%n", files.page());
      obstacle.ifPresent(
          why ->
              out.printf(
                  "no figures: %s; draw them elsewhere by --paper %s --from %s%n",
                  why, name(), files.json()));
    }
    out.flush();
  }

  private List<RaceDevice> chosen(PrintWriter out) {
    if (device.kind() == DeviceChoice.Kind.CPU) {
      return List.of();
    }
    GpuProbe probe = GpuProbe.look();
    Optional<String> obstacle = RaceDevice.whyNot(probe);
    if (obstacle.isEmpty()) {
      List<GpuInfo> named = device.among(probe);
      return RaceDevice.of(paper.usesAllDevices() ? named : named.subList(0, 1));
    }
    if (paper.needsDevice()) {
      throw new IllegalArgumentException(
          "--paper %s needs %s (satish does not): %s"
              .formatted(
                  name(), paper.usesAllDevices() ? "two GPUs or more" : "a GPU", obstacle.get()));
    }
    if (device.kind() == DeviceChoice.Kind.GPU) {
      throw new IllegalArgumentException(
          "--device %s is not available: %s".formatted(device, obstacle.get()));
    }
    out.println("no GPU, whose sorters are left out: " + obstacle.get());
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
                .formatted(name(), keys, rounds, threads, device));
  }
}
