package io.kmodel.indexer.cli.experiment;

import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.cli.base.Output;
import io.kmodel.indexer.cli.option.AtLeastOne;
import io.kmodel.indexer.cli.option.DeviceOptions;
import io.kmodel.indexer.cli.option.KeyCount;
import io.kmodel.indexer.experiment.CostTable;
import io.kmodel.indexer.experiment.Distribution;
import io.kmodel.indexer.experiment.SortExperiment;
import io.kmodel.indexer.gpu.GpuException;
import io.kmodel.indexer.gpu.GpuProbe;
import io.kmodel.indexer.sort.DeviceChoice;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code indexer experiment sort}. */
@Command(
    name = "sort",
    mixinStandardHelpOptions = true,
    description = {
      "Time the sorters of packed keys on GPUs and on the CPU, and check the results.",
      "",
      "On a GPU: the in-place network, by CUDA events; transfers in both directions at once; and,"
          + " if four runs fit in half of its memory, a stream of runs that are uploaded, sorted"
          + " and downloaded as in a build. On the CPU: one thread. Every result is checked; of the"
          + " stream, the last four and that the GPU sorted every run. Needs 16 bytes of memory per"
          + " key, and four times that for a GPU.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  indexer experiment sort --device gpu --keys 2^28",
      "  indexer experiment sort --device cpu --keys 2^24 --distribution zipf",
      "  indexer experiment sort --keys 2^20 --costs"
    })
public final class ExperimentSortCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--device",
      paramLabel = "WHERE",
      defaultValue = "auto",
      converter = DeviceOptions.Converter.class,
      description =
          "Sort on auto, cpu, gpu or gpu:0,2; the CPU is timed too, unless a GPU stops responding"
              + " (default: ${DEFAULT-VALUE}).")
  private DeviceChoice device;

  @Option(
      names = "--keys",
      paramLabel = "N",
      defaultValue = "2^24",
      converter = KeyCount.class,
      description = "Sort N keys: a number, or a power like 2^28 (default: ${DEFAULT-VALUE}).")
  private long keys;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "7",
      description = "Record N sorts of each (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--distribution",
      paramLabel = "NAME",
      defaultValue = "uniform",
      description =
          "Distribute keys as uniform, gaussian, zipf, equal, sorted or reversed (default:"
              + " ${DEFAULT-VALUE}).")
  private Distribution distribution;

  @Option(
      names = "--costs",
      fallbackValue = "true",
      description = "Also print the K-model's costs for this number of keys.")
  private boolean costs;

  @Option(names = "--no-cpu", fallbackValue = "true", description = "Skip the CPU's sorters.")
  private boolean noCpu;

  @SuppressWarnings("NullAway.Init") // picocli fills the options
  ExperimentSortCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    AtLeastOne.require(spec, "--rounds", rounds);
    requireWork();
    PrintWriter out = spec.commandLine().getOut();
    SortExperiment experiment = new SortExperiment(keys, distribution, rounds, Output.lines(out));
    if (costs) {
      out.println(CostTable.of(keys));
    }
    Optional<GpuException> failure = Optional.empty();
    if (device.kind() != DeviceChoice.Kind.CPU) {
      GpuProbe probe = GpuProbe.look();
      if (!probe.isAvailable()) {
        if (device.kind() == DeviceChoice.Kind.GPU) {
          throw new IllegalArgumentException(
              "--device " + device + " is not available: " + probe.reason());
        }
        out.println("no GPU: " + probe.reason());
      } else {
        failure = experiment.runOnAll(device.among(probe));
      }
    }
    if (!noCpu) {
      experiment.runOnCpu();
    }
    out.flush();
    if (failure.isPresent() && device.kind() == DeviceChoice.Kind.GPU) {
      throw failure.get();
    }
    return ExitCode.OK;
  }

  private void requireWork() {
    if (noCpu && !costs && device.kind() == DeviceChoice.Kind.CPU) {
      throw new ParameterException(
          spec.commandLine(), "--no-cpu leaves nothing to time with --device cpu");
    }
  }
}
