package io.kmodel.indexer.cli.experiment;

import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.experiment.race.BuildRace;
import io.kmodel.indexer.experiment.race.RaceOptions;
import io.kmodel.indexer.indexing.report.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code indexer experiment}. */
@Command(
    name = "experiment",
    mixinStandardHelpOptions = true,
    description = "Race against rivals; results are compared before any figure is printed.",
    synopsisSubcommandLabel = "EXPERIMENT")
public final class ExperimentCommand implements Runnable {
  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli fills spec
  ExperimentCommand() {}

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(),
        "no experiment given: use 'indexer experiment build', 'extract', 'sort', 'sorters',"
            + " 'pipelines' or 'vectors'");
  }

  /** Runs one contestant once; the race starts it, not a user. */
  @Command(name = "contestant", hidden = true)
  public static final class Contestant implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Parameters(index = "0")
    private String contestant;

    @Parameters(index = "1")
    private String options;

    @SuppressWarnings("NullAway.Init") // picocli fills the arguments
    Contestant() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
      PrintWriter out = spec.commandLine().getOut();
      BuildRace.compete(contestant, Json.MAPPER.readValue(options, RaceOptions.class), out);
      out.flush();
      return ExitCode.OK;
    }
  }
}
