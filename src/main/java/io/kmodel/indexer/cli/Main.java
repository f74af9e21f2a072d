package io.kmodel.indexer.cli;

import io.kmodel.indexer.build.BuildException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The program: {@code indexer COMMAND …}. */
@Command(
    name = "indexer",
    description =
        "Builds inverted indexes by sorting, and hands them to Lucene and to every engine that reads CIFF.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      BuildCommand.class,
      ExportCommand.class,
      ImportCommand.class,
      SearchCommand.class,
      EvaluateCommand.class,
      StatsCommand.class,
      TermsCommand.class,
      PostingsCommand.class,
      VerifyCommand.class,
      ExperimentCommand.class,
      CompletionCommand.class,
      ManualCommand.class,
      HelpCommand.class
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  indexer build crawl --output index",
      "  indexer search index \"sorting networks\"",
      "  indexer export lucene index lucene-index",
      "",
      "Exit codes: 0 done; 1 done, but documents were skipped or nothing found; 2 wrong usage; 3 failed.",
      "INDEXER_DEBUG=1 in the environment shows where a failure came from."
    })
public final class Main implements Runnable {
  private static final String DEBUG = "INDEXER_DEBUG";

  /** Lucene announces whether it uses SIMD code; nobody who runs a command asked for that. */
  private static final Logger LUCENE = Logger.getLogger("org.apache.lucene");

  private static final int CLEAN_UP_SECONDS = 20;

  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli fills spec
  Main() {}

  public static void main(String[] arguments) {
    LUCENE.setLevel(Level.SEVERE);
    System.exit(runAndCleanUp(arguments));
  }

  /**
   * Runs a command line. When the process is told to stop (Ctrl-C), the command is interrupted and
   * has some seconds to delete what it has half made.
   */
  private static int runAndCleanUp(String... arguments) {
    CountDownLatch ended = new CountDownLatch(1);
    Thread command = Thread.currentThread();
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  command.interrupt();
                  try {
                    if (!ended.await(CLEAN_UP_SECONDS, TimeUnit.SECONDS)) {
                      System.err.println("indexer: stopped before everything was cleaned up");
                    }
                  } catch (InterruptedException e) {
                    command.interrupt();
                  }
                }));
    try {
      return run(arguments);
    } catch (OutOfMemoryError e) {
      System.err.println(
          "indexer: out of memory (" + e.getMessage() + "); raise --memory or lower --threads");
      return ExitCode.FAILED;
    } catch (Throwable e) {
      System.err.println("indexer: " + e);
      return ExitCode.FAILED;
    } finally {
      ended.countDown();
    }
  }

  /** Runs one command line and returns its exit code; never ends the process. */
  public static int run(String... arguments) {
    return commandLine().execute(arguments);
  }

  static CommandLine commandLine() {
    return new CommandLine(new Main())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpAutoWidth(true)
        .setExecutionExceptionHandler((e, command, parsed) -> report(e, command))
        .setParameterExceptionHandler(
            (e, arguments) -> {
              PrintWriter err = e.getCommandLine().getErr();
              err.println("indexer: " + e.getMessage());
              CommandLine.UnmatchedArgumentException.printSuggestions(e, err);
              err.printf("Try '%s --help'.%n", e.getCommandLine().getCommandSpec().qualifiedName());
              return ExitCode.USAGE;
            });
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "no command given; 'indexer --help' lists them");
  }

  private static int report(Exception e, CommandLine command) {
    command.getErr().println("indexer: " + describe(e));
    if (System.getenv(DEBUG) != null) {
      e.printStackTrace(command.getErr());
    }
    boolean usersMistake = e instanceof BuildException || e instanceof IllegalArgumentException;
    return usersMistake ? ExitCode.USAGE : ExitCode.FAILED;
  }

  /** The failure in words; file system exceptions without a reason only carry a path. */
  private static String describe(Exception e) {
    if (e instanceof InterruptedException || e instanceof ClosedByInterruptException) {
      return "stopped; there is no half-made index";
    }
    String message = e.getMessage();
    if (message != null && e instanceof FileSystemException file && file.getReason() != null) {
      return message;
    }
    if (e instanceof NoSuchFileException) {
      return "no such file or directory: " + message;
    }
    if (e instanceof AccessDeniedException) {
      return "permission denied: " + message;
    }
    if (e instanceof FileAlreadyExistsException) {
      return "exists already: " + message;
    }
    if (message == null || !(e instanceof IOException || e instanceof RuntimeException)) {
      return e.toString();
    }
    return message;
  }

  /** The version that the jar was built as. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Main.class.getPackage().getImplementationVersion();
      return new String[] {"indexer " + (version == null ? "(development)" : version)};
    }
  }
}
