package io.kmodel.indexer.cli;

import io.kmodel.indexer.build.BuildException;
import io.kmodel.indexer.memory.OffHeap;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The program: {@code indexer COMMAND …}. */
@Command(
    name = "indexer",
    description =
        "Builds inverted indexes by sorting, and hands them to Lucene and to every engine that"
            + " reads CIFF.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    footerHeading = "%nExample:%n",
    footer = {
      "  indexer build crawl --output index",
      "  indexer search index \"sorting networks\"",
      "  indexer export lucene index lucene-index",
      "",
      "Exit codes: 0 done; 1 done, but documents were skipped or kept in part, a topic was not"
          + " answered, or nothing was found; 2 wrong usage; 3 failed; 130 interrupted; 141 nobody"
          + " reads the output any more; 143 terminated.",
      "Options have defaults in config/indexer.properties; 'indexer settings' prints them all.",
      "INDEXER_DEBUG=1 in the environment shows where a failure came from."
    })
public final class Main implements Runnable {
  private static final String DEBUG = "INDEXER_DEBUG";

  /** Lucene announces whether it uses SIMD code; nobody who runs a command asked for that. */
  private static final Logger LUCENE = Logger.getLogger("org.apache.lucene");

  private static final int CLEAN_UP_SECONDS = 20;

  /** What an OutOfMemoryError has in its message that a larger heap makes worse. */
  private static final List<String> NOT_THE_HEAP =
      List.of(OffHeap.OUTSIDE, "native thread", "direct buffer");

  @Spec private CommandSpec spec;

  /** Of this call; null before it is known. */
  private @Nullable Log log;

  @SuppressWarnings("NullAway.Init") // picocli fills spec
  Main() {}

  @Option(
      names = Settings.FILE_OPTION,
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      description = {
        "Settings of options that are not given (default: config/indexer.properties beside the"
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
          "What goes to standard error (default: ${DEFAULT-VALUE}): text; or json, stages,"
              + " progress, what is skipped, warnings, errors and reports, a line each.")
  void setFormat(Log.Format format) {
    if (format == Log.Format.JSON) {
      log = new Log(spec.commandLine().getErr(), format);
    }
  }

  public static void main(String[] arguments) {
    LUCENE.setLevel(Level.SEVERE);
    int exitCode = ExitCode.FAILED;
    try {
      exitCode = runAndCleanUp(arguments);
    } catch (Throwable e) {
      Throwable cause = e;
      while (cause.getCause() != null) {
        cause = cause.getCause();
      }
      System.err.println("indexer: the program did not start: " + cause);
    } finally {
      // Java would end with 1, which says of a call that documents were skipped.
      System.exit(exitCode);
    }
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
    } finally {
      ended.countDown();
    }
  }

  /** Runs one command line and returns its exit code; never ends the process. */
  public static int run(String... arguments) {
    return run(Commands.of(arguments), Output.standard(), System.getenv(), arguments);
  }

  /** Runs one whose output may turn out not to be written, which makes it a failure. */
  static int run(
      CommandLine program, Output output, Map<String, String> environment, String... arguments) {
    int exitCode = execute(program.setOut(output.writer()), environment, arguments);
    Main main = program.getCommand();
    return output.exitCode(exitCode, main.log());
  }

  /** Runs a command line, with the settings of an environment and of the file that it names. */
  static int execute(CommandLine program, Map<String, String> environment, String... arguments) {
    Main main = program.getCommand();
    Settings settings;
    try {
      settings = Settings.of(program, environment, List.of(arguments));
    } catch (NoSuchFileException | AccessDeniedException | IllegalArgumentException e) {
      main.log().error(describe(e), ExitCode.USAGE);
      return ExitCode.USAGE;
    } catch (IOException e) {
      main.log().error(describe(e), ExitCode.FAILED);
      return ExitCode.FAILED;
    }
    main.log = Log.named(program.getErr(), settings.early("--log"));
    program
        .setDefaultValueProvider(settings)
        .setExecutionExceptionHandler((e, command, parsed) -> main.report(e, command, settings))
        .setParameterExceptionHandler((e, parsed) -> main.reportMisuse(e, settings));
    for (String variable : settings.unknownVariables()) {
      main.log().warning(variable);
    }
    try {
      return program.execute(arguments);
    } catch (OutOfMemoryError e) {
      CommandSpec command = called(program);
      boolean isHeap = NOT_THE_HEAP.stream().noneMatch(String.valueOf(e.getMessage())::contains);
      String advice = isHeap ? memoryAdvice(command) : systemAdvice(command);
      main.log().error("out of memory (" + e.getMessage() + "); " + advice, ExitCode.FAILED);
    } catch (Throwable e) {
      main.log().error(e.toString(), ExitCode.FAILED);
    }
    return ExitCode.FAILED;
  }

  /** The command of a call; the program itself where the call was not read. */
  private static CommandSpec called(CommandLine program) {
    CommandLine.@Nullable ParseResult parsed = program.getParseResult();
    CommandSpec command = program.getCommandSpec();
    while (parsed != null) {
      command = parsed.commandSpec();
      parsed = parsed.subcommand();
    }
    return command;
  }

  /** What may help where the heap is too small, of what the command knows. */
  private static String memoryAdvice(CommandSpec command) {
    String more =
        command.findOption("--memory") == null
            ? "set INDEXER_JAVA_OPTIONS=-Xmx... in the environment"
            : "raise --memory";
    if (command.findOption("--threads") == null) {
      return more;
    }
    return command.findOption("--memory") == null
        ? "lower --threads or " + more
        : more + " or lower --threads";
  }

  /** What may help where the system has no more, of what the command knows. */
  private static String systemAdvice(CommandSpec command) {
    String less =
        Stream.of("--memory", "--threads", "--keys")
            .filter(option -> command.findOption(option) != null)
            .collect(Collectors.joining(" or "));
    String more = "the system or a limit of its (ulimit -v) gives no more";
    return less.isEmpty() ? more : more + "; lower " + less;
  }

  /** The log of the call that a command belongs to. */
  static Log logOf(CommandSpec command) {
    return ((Main) command.root().userObject()).log();
  }

  private Log log() {
    return log == null ? new Log(spec.commandLine().getErr(), Log.Format.TEXT) : log;
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "no command given; 'indexer --help' lists them");
  }

  private int reportMisuse(CommandLine.ParameterException e, Settings settings) {
    CommandSpec command = e.getCommandLine().getCommandSpec();
    String message = OptionWords.of(String.valueOf(e.getMessage()), command);
    log().error(message + settings.originOfOptionsIn(message, command), ExitCode.USAGE);
    if (!log().isJson()) {
      PrintWriter err = e.getCommandLine().getErr();
      CommandLine.UnmatchedArgumentException.printSuggestions(e, err);
      if (isHyphenatedWord(e)) {
        err.println("Behind --, what begins with a hyphen is no option.");
      }
      err.printf("Try '%s --help'.%n", command.qualifiedName());
    }
    return ExitCode.USAGE;
  }

  /** Options of more than a letter have two hyphens; a query or a path may begin with one. */
  private static boolean isHyphenatedWord(CommandLine.ParameterException e) {
    return e instanceof CommandLine.UnmatchedArgumentException unmatched
        && unmatched.isUnknownOption()
        && !unmatched.getUnmatched().getFirst().startsWith("--");
  }

  private int report(Exception e, CommandLine command, Settings settings) {
    boolean usersMistake = e instanceof BuildException || e instanceof IllegalArgumentException;
    int exitCode = usersMistake ? ExitCode.USAGE : ExitCode.FAILED;
    String message = OptionWords.of(describe(e), command.getCommandSpec());
    String origins = settings.originOfOptionsIn(message, command.getCommandSpec());
    log().error(message + origins, exitCode);
    if (System.getenv(DEBUG) != null) {
      e.printStackTrace(command.getErr());
    }
    return exitCode;
  }

  /** The failure in words; file system exceptions without a reason only carry a path. */
  static String describe(Exception e) {
    if (e instanceof InterruptedException
        || e instanceof ClosedByInterruptException
        || e instanceof InterruptedIOException) {
      return "stopped; nothing half-made is left";
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
