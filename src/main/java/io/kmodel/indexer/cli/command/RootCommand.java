package io.kmodel.indexer.cli.command;

import io.kmodel.indexer.cli.base.Log;
import io.kmodel.indexer.cli.option.Setting;
import io.kmodel.indexer.indexing.cluster.TaskEngine;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The root command, {@code indexer COMMAND …}, with the options that every command has. */
@Command(
    name = "indexer",
    description =
        "Builds inverted indexes by sorting, and hands them to Lucene and to every engine that"
            + " reads CIFF.",
    mixinStandardHelpOptions = true,
    versionProvider = RootCommand.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    footerHeading = "%nExample:%n",
    footer = {
      "  indexer build crawl --output index",
      "  indexer search index \"sorting networks\"",
      "  indexer export lucene index lucene-index",
      "",
      "Exit codes: 0 done; 1 done, but documents were skipped or kept in part, a topic was not"
          + " answered, or nothing was found; 2 wrong usage; 3 failed; 129 the terminal was"
          + " closed; 130 interrupted; 141 the reader of the output closed it; 143 terminated.",
      "Options have defaults in config/indexer.properties; 'indexer settings' prints them all.",
      "INDEXER_DEBUG=1 in the environment shows where a failure came from."
    })
public final class RootCommand implements Runnable, Log.Owner {
  @Spec private CommandSpec spec;

  /** The log of this call; null until its format is known. */
  private @Nullable Log log;

  /** Starts the cluster that builds run on; null if they run in this process. */
  private @Nullable Supplier<TaskEngine> cluster;

  @SuppressWarnings("NullAway.Init") // picocli fills spec
  RootCommand() {}

  @Option(
      names = Setting.FILE_OPTION,
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      description = {
        "Read settings of options from FILE (default: config/indexer.properties beside the"
            + " program).",
        "Also: INDEXER_CONFIG in the environment."
      })
  void setConfig(Path file) {
    // Settings has read it before the command line was parsed.
  }

  @Option(
      names = "--log",
      paramLabel = "STYLE",
      scope = ScopeType.INHERIT,
      defaultValue = "text",
      description =
          "Write standard error as text, or as json with one event per line: stages, progress,"
              + " skips, warnings, errors and reports (default: ${DEFAULT-VALUE}).")
  void setFormat(Log.Format format) {
    if (format == Log.Format.JSON) {
      log = new Log(spec.commandLine().getErr(), format);
    }
  }

  /** Sets the log of this call. */
  public void setLog(Log chosen) {
    log = chosen;
  }

  /** Makes builds run on a cluster, which the supplier starts. */
  public void setCluster(Supplier<TaskEngine> starting) {
    cluster = starting;
  }

  /** Whether builds run on a cluster. */
  boolean hasCluster() {
    return cluster != null;
  }

  /** Starts the cluster. */
  TaskEngine cluster() {
    return Objects.requireNonNull(cluster).get();
  }

  @Override
  public Log log() {
    return log == null ? new Log(spec.commandLine().getErr(), Log.Format.TEXT) : log;
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "no command given; 'indexer --help' lists them");
  }

  /** The version that the jar was built as. */
  public static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = RootCommand.class.getPackage().getImplementationVersion();
      return new String[] {"indexer " + (version == null ? "(development)" : version)};
    }
  }
}
