package io.kmodel.indexer.cli.command;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.kmodel.indexer.cli.experiment.ExperimentBuildCommand;
import io.kmodel.indexer.cli.experiment.ExperimentClusterCommand;
import io.kmodel.indexer.cli.experiment.ExperimentCommand;
import io.kmodel.indexer.cli.experiment.ExperimentExtractCommand;
import io.kmodel.indexer.cli.experiment.ExperimentPipelinesCommand;
import io.kmodel.indexer.cli.experiment.ExperimentSortCommand;
import io.kmodel.indexer.cli.experiment.ExperimentSortersCommand;
import io.kmodel.indexer.cli.experiment.ExperimentVectorsCommand;
import io.kmodel.indexer.cli.option.PathArgument;
import io.kmodel.indexer.cli.view.OptionGroups;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.HelpCommand;

/**
 * The commands of the program, by name, in the order of its help. A call that names one knows only
 * that: to describe all of them to picocli takes Java, which has just started, a tenth of a second.
 */
public final class Commands {
  private static final String HELP = "help";
  private static final String EXPERIMENT = "experiment";

  /** The name of none of them. */
  private static final String ALL = "";

  private static final ImmutableMap<String, Class<?>> OF_PROGRAM =
      ImmutableMap.<String, Class<?>>builder()
          .put("build", BuildCommand.class)
          .put("append", AppendCommand.class)
          .put("merge", MergeCommand.class)
          .put("delete", DeleteCommand.class)
          .put("reorder", ReorderCommand.class)
          .put("export", ExportCommand.class)
          .put("import", ImportCommand.class)
          .put("search", SearchCommand.class)
          .put("evaluate", EvaluateCommand.class)
          .put("stats", StatsCommand.class)
          .put("terms", TermsCommand.class)
          .put("postings", PostingsCommand.class)
          .put("document", DocumentCommand.class)
          .put("browse", BrowseCommand.class)
          .put("verify", VerifyCommand.class)
          .put(EXPERIMENT, ExperimentCommand.class)
          .put("settings", SettingsCommand.class)
          .put("completion", CompletionCommand.class)
          .put("manual", ManualCommand.class)
          .put(HELP, HelpCommand.class)
          .build();

  private static final ImmutableMap<String, Class<?>> OF_EXPERIMENT =
      ImmutableMap.<String, Class<?>>builder()
          .put("build", ExperimentBuildCommand.class)
          .put("cluster", ExperimentClusterCommand.class)
          .put("extract", ExperimentExtractCommand.class)
          .put("sort", ExperimentSortCommand.class)
          .put("pipelines", ExperimentPipelinesCommand.class)
          .put("sorters", ExperimentSortersCommand.class)
          .put("vectors", ExperimentVectorsCommand.class)
          .put("contestant", ExperimentCommand.Contestant.class)
          .build();

  private Commands() {}

  /** The program with all of its commands. */
  public static CommandLine all() {
    return of();
  }

  /**
   * The program of one call: with the command that its arguments begin with, or with all where they
   * do not begin with one, or with help, which speaks of all.
   */
  public static CommandLine of(String... arguments) {
    CommandLine program = new CommandLine(new RootCommand());
    String command = arguments.length > 0 ? arguments[0] : HELP;
    add(program, OF_PROGRAM, command.equals(HELP) ? ALL : command);
    CommandLine experiment = program.getSubcommands().get(EXPERIMENT);
    if (experiment != null) {
      boolean isCalled = command.equals(EXPERIMENT) && arguments.length > 1;
      add(experiment, OF_EXPERIMENT, isCalled ? arguments[1] : ALL);
    }
    setVersion(program);
    OptionGroups.apply(program);
    // A word that begins with @ is a query or a path, not the name of a file with arguments.
    return program
        .registerConverter(Path.class, new PathArgument())
        .setExpandAtFiles(false)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpAutoWidth(true);
  }

  /** Adds the one that is called, or all if it is none of them. */
  private static void add(
      CommandLine parent, ImmutableMap<String, Class<?>> commands, String called) {
    Class<?> one = commands.get(called);
    if (one != null) {
      parent.addSubcommand(called, one);
    } else {
      commands.forEach(parent::addSubcommand);
    }
  }

  /** Every command has the version of the program. */
  private static void setVersion(CommandLine command) {
    command.getCommandSpec().versionProvider(new RootCommand.Version());
    command.getSubcommands().values().forEach(Commands::setVersion);
  }

  /** The names of the program's commands. */
  public static ImmutableSet<String> names() {
    return OF_PROGRAM.keySet();
  }
}
