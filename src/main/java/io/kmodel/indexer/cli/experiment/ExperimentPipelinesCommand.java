package io.kmodel.indexer.cli.experiment;

import io.kmodel.indexer.cli.base.ByteSize;
import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.cli.base.Output;
import io.kmodel.indexer.cli.option.AtLeastOne;
import io.kmodel.indexer.cli.option.DeviceOptions;
import io.kmodel.indexer.cli.option.PathArgument;
import io.kmodel.indexer.cli.option.Resources;
import io.kmodel.indexer.experiment.PipelineExperiment;
import io.kmodel.indexer.gpu.GpuProbe;
import io.kmodel.indexer.sort.DeviceChoice;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code indexer experiment pipelines}. */
@Command(
    name = "pipelines",
    mixinStandardHelpOptions = true,
    description = {
      "Time the three indexers of the K-model paper on one corpus, Index_cpu, Index_gpu and"
          + " Index_gpu+, and a fourth, Index_inv.",
      "",
      "Index_cpu sorts on the CPU; Index_gpu sorts on a GPU while the threads wait; Index_gpu+"
          + " sorts on a GPU while they parse; Index_inv makes runs from text on a GPU. The indexes are compared byte for byte, and a"
          + " warning reports runs of a GPU build that the CPU made. Without a GPU, only"
          + " Index_cpu runs. It counts keys by term and moves them when their run is kept or"
          + " written, which its sorting time does not include.",
      ""
    })
public final class ExperimentPipelinesCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(names = "--corpus", paramLabel = "DIR", required = true, description = "The crawl.")
  private Path corpus;

  @Option(
      names = "--work",
      paramLabel = "DIR",
      converter = PathArgument.Output.class,
      defaultValue = "target/experiment",
      description =
          "Write to DIR/indexer-experiment, which is deleted at the end; DIR must not overlap the"
              + " corpus (default: ${DEFAULT-VALUE}).")
  private Path work;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "5",
      description = "Record N builds of each (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description =
          "Use N threads per build (default: one per processor, or as many as --memory allows).")
  private @Nullable Integer threads;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      converter = ByteSize.class,
      defaultValue = "4g",
      description = "Give each build this memory budget (default: ${DEFAULT-VALUE}).")
  private long memoryBytes;

  @Option(
      names = "--device",
      paramLabel = "WHERE",
      defaultValue = "gpu",
      converter = DeviceOptions.Converter.class,
      description =
          "Use all GPUs (gpu) or some (gpu:0,2) for all but Index_cpu (default:"
              + " ${DEFAULT-VALUE}).")
  private DeviceChoice device;

  @SuppressWarnings("NullAway.Init") // picocli fills the options
  ExperimentPipelinesCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    int used = threads != null ? threads : Resources.defaultThreads(memoryBytes);
    AtLeastOne.require(spec, "--rounds", rounds);
    AtLeastOne.require(spec, "--threads", used);
    AtLeastOne.requireMemory(spec, memoryBytes);
    PipelineExperiment.Setting setting =
        new PipelineExperiment.Setting(corpus, work, used, memoryBytes, device);
    GpuProbe probe = GpuProbe.look();
    out.printf(
        Locale.ROOT,
        "%s: %d threads, memory %s, medians of %d%s%n",
        corpus,
        used,
        ByteSize.format(memoryBytes),
        rounds,
        probe.isAvailable() ? "" : "; no GPU: " + probe.reason());
    out.flush();
    new PipelineExperiment(setting, rounds, Output.lines(out)).run(probe);
    return ExitCode.OK;
  }
}
