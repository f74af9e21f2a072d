package io.kmodel.indexer.cli.experiment;

import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.cli.option.PathArgument;
import io.kmodel.indexer.experiment.ClusterExperiment;
import io.kmodel.indexer.experiment.ClusterExperiment.Run;
import io.kmodel.indexer.experiment.JavaOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code indexer experiment cluster}. */
@Command(
    name = "cluster",
    mixinStandardHelpOptions = true,
    description = {
      "Build an index of a crawl with Spark on this machine, by executors of one core each, and compare"
          + " times and bytes. Needs SPARK_HOME. HDFS is not started: the program has no Hadoop; the"
          + " test HdfsIT starts one.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = "  indexer experiment cluster --corpus corpus/html --executors 1,2,4,8")
public final class ExperimentClusterCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--corpus",
      paramLabel = "DIR",
      required = true,
      converter = PathArgument.class,
      description = "The crawl.")
  private Path corpus;

  @Option(
      names = "--executors",
      paramLabel = "N,N",
      split = ",",
      defaultValue = "1,2",
      description = "Build with N executors, one number after the other (default: 1,2).")
  private List<Integer> executors;

  @Option(
      names = "--executor-memory",
      paramLabel = "MIB",
      defaultValue = "1536",
      description = "Give each executor a heap of MIB (default: ${DEFAULT-VALUE}).")
  private int memory;

  @Option(
      names = "--work",
      paramLabel = "DIR",
      converter = PathArgument.class,
      defaultValue = "target",
      description =
          "Write indexes to a directory in DIR, which is deleted at the end (default:"
              + " ${DEFAULT-VALUE}).")
  private Path work;

  @SuppressWarnings("NullAway.Init") // picocli fills the options
  ExperimentClusterCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    String home = System.getProperty(JavaOptions.HOME);
    if (home == null) {
      throw new ParameterException(
          spec.commandLine(), "start this experiment with bin/indexer, which it starts, too");
    }
    if (executors.stream().anyMatch(count -> count < 1)) {
      throw new ParameterException(
          spec.commandLine(), "--executors must be at least 1; got " + executors);
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println("| executors of one core | s | splits, s | efficiency | same bytes |");
    out.println("|---|---|---|---|---|");
    List<Run> runs = new ArrayList<>();
    new ClusterExperiment(Path.of(home, "bin", "indexer"), corpus, work, memory)
        .run(
            executors,
            run -> {
              runs.add(run);
              out.println(row(run, first(runs)));
              out.flush();
            });
    return runs.stream().allMatch(Run::isSame) ? ExitCode.OK : ExitCode.FAILED;
  }

  /** The first build with Spark, which efficiencies refer to; null before it. */
  private static @Nullable Run first(List<Run> runs) {
    return runs.size() < 2 ? null : runs.get(1);
  }

  static String row(Run run, @Nullable Run first) {
    String efficiency =
        first == null
            ? ""
            : String.format(
                Locale.ROOT,
                "%.2f",
                first.seconds() * first.executors() / (run.seconds() * run.executors()));
    return String.format(
        Locale.ROOT,
        "| %s | %.1f | %.1f | %s | %s |",
        run.executors() == 0 ? "one thread, without Spark" : String.valueOf(run.executors()),
        run.seconds(),
        run.splitSeconds(),
        efficiency,
        run.isSame() ? "yes" : "NO");
  }
}
