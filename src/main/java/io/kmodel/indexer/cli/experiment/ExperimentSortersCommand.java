package io.kmodel.indexer.cli.experiment;

import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.cli.option.AtLeastOne;
import io.kmodel.indexer.cli.option.KeyCount;
import io.kmodel.indexer.cli.option.PathArgument;
import io.kmodel.indexer.cli.view.FiguresFile;
import io.kmodel.indexer.experiment.KeyDistribution;
import io.kmodel.indexer.experiment.SortContestants;
import io.kmodel.indexer.experiment.SortMeasurement;
import io.kmodel.indexer.experiment.SortRace;
import io.kmodel.indexer.experiment.SortSetting;
import io.kmodel.indexer.experiment.SortSummary;
import io.kmodel.indexer.sort.lab.VectorSupport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code indexer experiment sorters}. */
@Command(
    name = "sorters",
    mixinStandardHelpOptions = true,
    description = {
      "Race sorters of packed keys in memory, also in that of a GPU.",
      "",
      "The sorters take turns, and each result is checked before its time counts. Options with a"
          + " LIST take values separated by commas; every combination of them is a race.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  indexer experiment sorters",
      "  indexer experiment sorters --keys 2^16,2^20,2^24 --bits 22,44,62",
      "  indexer experiment sorters --sorter radix-8,buffered-radix-8 --bits 22",
      "  indexer experiment sorters --sorter gpu-network,gpu-radix --keys 2^28 --json sorting.json"
    })
public final class ExperimentSortersCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--sorter",
      paramLabel = "LIST",
      split = ",",
      description = {
        "Race these sorters: radix, simd-merge, arrays-sort, arrays-parallel-sort; radix-N and"
            + " buffered-radix-N with N-bit digits, without and with buffers; in the memory of a GPU"
            + " gpu-network, gpu-radix, gpu-split, gpu-split-1, gpu-merge, gpu-merge-search,"
            + " gpu-bitonic-merge, gpu-quicksort and gpu-sample-sort, and with values of 32 bits"
            + " gpu-pairs and gpu-pairs-search. The first is the baseline.",
        "Default: radix, simd-merge, buffered-radix-11, arrays-sort, arrays-parallel-sort."
      })
  private List<String> sorters = new ArrayList<>();

  @Option(
      names = "--keys",
      paramLabel = "LIST",
      split = ",",
      converter = KeyCount.class,
      defaultValue = "2^24",
      description = "Sort this many keys, like 2^24 or 16m (default: ${DEFAULT-VALUE}).")
  private List<Long> keys;

  @Option(
      names = "--bits",
      paramLabel = "LIST",
      split = ",",
      defaultValue = "62",
      description = "Use keys of 1 to 62 bits (default: ${DEFAULT-VALUE}).")
  private List<Integer> bits;

  @Option(
      names = "--distribution",
      paramLabel = "LIST",
      split = ",",
      converter = Distributions.class,
      defaultValue = "uniform",
      description =
          "Distribute keys as uniform, and-2, and-3, and-4, and-5, gaussian, zipf, all-equal,"
              + " sorted or reversed (default: ${DEFAULT-VALUE}).")
  private List<KeyDistribution> distributions;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Use N threads in sorters that support it (default: ${DEFAULT-VALUE}). radix uses one,"
              + " since a build sorts one run per thread. arrays-parallel-sort uses one if N is 2:"
              + " the JDK needs a pool of two besides the caller.")
  private int threads;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "5",
      description = "Record N rounds (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      defaultValue = "2",
      description = "Run N warm-up rounds first (default: ${DEFAULT-VALUE}).")
  private int warmUpRounds;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      converter = PathArgument.Output.class,
      description = "Write every round's figures to FILE.")
  private @Nullable Path json;

  /** Takes names with hyphens, or with the underscores of tables. */
  static final class Distributions implements CommandLine.ITypeConverter<KeyDistribution> {
    @Override
    public KeyDistribution convert(String value) {
      try {
        return KeyDistribution.valueOf(value.toUpperCase(Locale.ROOT).replace('-', '_'));
      } catch (IllegalArgumentException e) {
        throw new CommandLine.TypeConversionException(
            "expected one of %s but was '%s'"
                .formatted(Arrays.toString(KeyDistribution.values()), value));
      }
    }
  }

  @SuppressWarnings("NullAway.Init") // picocli fills the options
  ExperimentSortersCommand() {}

  @Override
  public Integer call() throws IOException {
    AtLeastOne.require(spec, "--rounds", rounds);
    AtLeastOne.require(spec, "--warm-up", warmUpRounds, 0);
    FiguresFile.require(spec, json);
    for (String sorter : sorters) {
      SortContestants.requireKnown(sorter);
    }
    List<SortSetting> settings = SortSetting.all(keys, bits, distributions, threads);
    SortContestants.limitJdkPool(threads);
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        Locale.ROOT,
        "Java %s, %d processors, %s%n",
        Runtime.version(),
        Runtime.getRuntime().availableProcessors(),
        VectorSupport.probe().reason());
    List<SortMeasurement> all = new ArrayList<>();
    SortRace race = new SortRace(raced(out), rounds, warmUpRounds);
    for (SortSetting setting : settings) {
      List<SortMeasurement> measurements = race.run(setting);
      out.printf("%n%s", new SortSummary(measurements));
      out.flush();
      all.addAll(measurements);
    }
    FiguresFile.write(json, all);
    return ExitCode.OK;
  }

  /** The sorters that were named, else those usable on this machine. */
  private List<String> raced(PrintWriter out) {
    if (!sorters.isEmpty()) {
      return sorters;
    }
    List<String> usable = new ArrayList<>();
    for (String sorter : SortContestants.DEFAULT) {
      SortContestants.whyNot(sorter)
          .ifPresentOrElse(
              reason -> out.printf("skipping %s: %s%n", sorter, reason), () -> usable.add(sorter));
    }
    return usable;
  }
}
