package io.kmodel.indexer.cli.experiment;

import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.cli.base.Output;
import io.kmodel.indexer.cli.option.AtLeastOne;
import io.kmodel.indexer.cli.option.DeviceOptions;
import io.kmodel.indexer.cli.option.Given;
import io.kmodel.indexer.cli.option.KeyCount;
import io.kmodel.indexer.cli.option.PathArgument;
import io.kmodel.indexer.experiment.CostTable;
import io.kmodel.indexer.experiment.Distribution;
import io.kmodel.indexer.experiment.SortExperiment;
import io.kmodel.indexer.experiment.paper.Paper;
import io.kmodel.indexer.gpu.GpuException;
import io.kmodel.indexer.gpu.GpuProbe;
import io.kmodel.indexer.sort.DeviceChoice;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
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
      "",
      "--paper reruns the comparisons of a paper: capannini (the network against radix sort and"
          + " quicksort: Figures 5 and 6, Table 1; needs a GPU), satish (radix and merge sort on CPU"
          + " and GPU: section 4.3.1, Figures 5 to 7, Table 1), davidson (merge sort of keys, of keys"
          + " with values and of strings: Figures 7 to 9; needs a GPU), sahni (records with several"
          + " fields: Figures 7 to 14; needs a GPU) or tanasic (one GPU against several: Figures 6 to 9;"
          + " needs two or more). Each size is sorted --rounds times with other keys, sizes go up to"
          + " --keys, and the paper's own figures stand beside.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  indexer experiment sort --device gpu --keys 2^28",
      "  indexer experiment sort --device cpu --keys 2^24 --distribution zipf",
      "  indexer experiment sort --keys 2^20 --costs",
      "  indexer experiment sort --paper capannini --keys 2^28 --rounds 20 --output papers",
      "  indexer experiment sort --paper capannini --from papers/capannini.json --output papers"
    })
public final class ExperimentSortCommand implements Callable<Integer> {
  private static final List<String> OF_PAPERS =
      List.of("--threads", "--corpus", "--output", "--from");
  private static final List<String> WITHOUT_PAPERS =
      List.of("--distribution", "--costs", "--no-cpu");
  private static final List<String> OF_RUNS =
      List.of("--keys", "--rounds", "--threads", "--device", "--corpus");

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

  @Option(
      names = "--paper",
      paramLabel = "PAPER",
      description =
          "Rerun the comparisons of this paper instead: capannini, satish, davidson, sahni or"
              + " tanasic.")
  private @Nullable Paper paper;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "With --paper: use N threads in sorters of the CPU that can (default: ${DEFAULT-VALUE}).")
  private int threads;

  @Option(
      names = "--corpus",
      paramLabel = "DIR",
      description =
          "With --paper capannini: also build an index of DIR with each indexer of Figure 7 (Table 2,"
              + " Figure 8 A), --rounds times each, with the defaults of experiment pipelines.")
  private @Nullable Path corpus;

  @Option(
      names = "--output",
      paramLabel = "DIR",
      converter = PathArgument.Output.class,
      description = "With --paper: write figures (SVG, and a page with all), JSON and CSV to DIR.")
  private @Nullable Path output;

  @Option(
      names = "--from",
      paramLabel = "FILE",
      converter = PathArgument.Input.class,
      description =
          "With --paper and --output: sort nothing, and draw the figures of the JSON file that"
              + " another run wrote.")
  private @Nullable Path from;

  @SuppressWarnings("NullAway.Init") // picocli fills the options
  ExperimentSortCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    AtLeastOne.require(spec, "--rounds", rounds);
    AtLeastOne.require(spec, "--threads", threads);
    PrintWriter out = spec.commandLine().getOut();
    if (paper != null) {
      rerun(paper, out);
      return ExitCode.OK;
    }
    Given.refuse(spec, OF_PAPERS, "--paper");
    requireWork();
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
        if (noCpu && !costs) {
          throw new IllegalArgumentException(
              "--no-cpu leaves nothing to time without a GPU: " + probe.reason());
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

  private void rerun(Paper which, PrintWriter out) throws IOException, InterruptedException {
    if (corpus != null && which != Paper.CAPANNINI) {
      throw new ParameterException(
          spec.commandLine(), "--corpus has no effect without --paper capannini");
    }
    Given.refuseWith(spec, WITHOUT_PAPERS, "--paper");
    PaperRun run = new PaperRun(which, keys, rounds, threads, device);
    if (from == null) {
      run.run(out, corpus, output);
    } else if (output == null) {
      throw new ParameterException(spec.commandLine(), "--from needs --output");
    } else {
      Given.refuseWith(spec, OF_RUNS, "--from");
      run.draw(from, out, output);
    }
  }

  private void requireWork() {
    if (noCpu && !costs && device.kind() == DeviceChoice.Kind.CPU) {
      throw new ParameterException(
          spec.commandLine(), "--no-cpu leaves nothing to time with --device cpu");
    }
  }
}
