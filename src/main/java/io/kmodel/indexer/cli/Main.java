package io.kmodel.indexer.cli;

import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.cli.base.Log;
import io.kmodel.indexer.cli.base.Output;
import io.kmodel.indexer.cli.command.Commands;
import io.kmodel.indexer.cli.command.RootCommand;
import io.kmodel.indexer.cli.command.Settings;
import io.kmodel.indexer.cli.option.OptionWords;
import io.kmodel.indexer.indexing.cluster.TaskEngine;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.memory.OffHeap;
import io.kmodel.indexer.parse.text.Suggestions;
import io.kmodel.indexer.store.library.NativeLibraryError;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Runs the program: {@code indexer COMMAND …}. */
public final class Main {
  private static final String DEBUG = "INDEXER_DEBUG";

  /** Lucene logs whether it uses SIMD code, which users of a command need not see. */
  private static final Logger LUCENE = Logger.getLogger("org.apache.lucene");

  /** Under another name than Logback's default, which programs that use the library may have. */
  private static final String LOGGING = "io/kmodel/indexer/cli/logback.xml";

  private static final int CLEAN_UP_SECONDS = 20;

  /** The user and password of a URL in an argument, which picocli repeats if it is wrong. */
  private static final String LOGIN = "://[^/?#\\s']*@";

  /** Parts of messages of an OutOfMemoryError that a larger heap would not help. */
  private static final List<String> NOT_THE_HEAP =
      List.of(OffHeap.OUTSIDE, "native thread", "direct buffer");

  private Main() {}

  public static void main(String[] arguments) {
    LUCENE.setLevel(Level.SEVERE);
    if (System.getProperty("logback.configurationFile") == null) {
      System.setProperty("logback.configurationFile", LOGGING);
    }
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
      // Java would exit with 1, which means that documents were skipped.
      System.exit(exitCode);
    }
  }

  /**
   * Runs a command line. When the process is told to stop (Ctrl-C), the command is interrupted and
   * has some seconds to delete unfinished files.
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

  /** The same for a program whose builds run on a cluster, which the supplier starts. */
  public static int runOnCluster(Supplier<TaskEngine> cluster, String... arguments) {
    CommandLine program = Commands.of(arguments);
    RootCommand main = program.getCommand();
    main.setCluster(cluster);
    return run(program, Output.standard(), System.getenv(), arguments);
  }

  /** Runs a command line; output that could not be written makes it a failure. */
  public static int run(
      CommandLine program, Output output, Map<String, String> environment, String... arguments) {
    int exitCode = execute(program.setOut(output.writer()), environment, arguments);
    RootCommand main = program.getCommand();
    return output.exitCode(exitCode, main.log());
  }

  /** Runs a command line with the settings of an environment and of a settings file. */
  public static int execute(
      CommandLine program, Map<String, String> environment, String... arguments) {
    RootCommand main = program.getCommand();
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
    main.setLog(Log.named(program.getErr(), settings.early("--log")));
    program
        .setDefaultValueProvider(settings)
        .setExecutionExceptionHandler(
            (e, command, parsed) -> report(main.log(), e, command, settings))
        .setParameterExceptionHandler((e, parsed) -> reportMisuse(main.log(), e, settings));
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
    } catch (NativeLibraryError e) {
      main.log().error(String.valueOf(e.getMessage()), ExitCode.FAILED);
    } catch (Throwable e) {
      main.log().error(e.toString(), ExitCode.FAILED);
    }
    return ExitCode.FAILED;
  }

  /** The command of a call; the program itself if the call could not be parsed. */
  private static CommandSpec called(CommandLine program) {
    CommandLine.@Nullable ParseResult parsed = program.getParseResult();
    CommandSpec command = program.getCommandSpec();
    while (parsed != null) {
      command = parsed.commandSpec();
      parsed = parsed.subcommand();
    }
    return command;
  }

  /** Options of the command that help if the heap is too small. */
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

  /** Options of the command that help if the operating system has no more memory. */
  private static String systemAdvice(CommandSpec command) {
    String less =
        Stream.of("--memory", "--threads", "--keys")
            .filter(option -> command.findOption(option) != null)
            .collect(Collectors.joining(" or "));
    String more = "the operating system (or ulimit -v) refused more memory";
    return less.isEmpty() ? more : more + "; lower " + less;
  }

  private static int reportMisuse(Log log, CommandLine.ParameterException e, Settings settings) {
    CommandSpec command = e.getCommandLine().getCommandSpec();
    String called = String.valueOf(e.getMessage()).replaceAll(LOGIN, "://***@");
    String message = OptionWords.of(called, command);
    String origin = settings.originOfOptionsIn(message, command);
    log.error(message + origin + suggestion(e), ExitCode.USAGE);
    if (!log.isJson()) {
      PrintWriter err = e.getCommandLine().getErr();
      if (isHyphenatedWord(e)) {
        err.println("Arguments after -- are never options.");
      }
      err.printf("Try '%s --help'.%n", command.qualifiedName());
    }
    return ExitCode.USAGE;
  }

  /** The option or command that an unknown one resembles, as a question. */
  private static String suggestion(CommandLine.ParameterException e) {
    if (!(e instanceof CommandLine.UnmatchedArgumentException unmatched)) {
      return "";
    }
    CommandLine command = e.getCommandLine();
    String word = unmatched.getUnmatched().getFirst();
    int equals = word.indexOf('=');
    Collection<String> known =
        unmatched.isUnknownOption()
            ? command.getCommandSpec().optionsMap().keySet()
            : command.getSubcommands().keySet();
    return Suggestions.question(equals < 0 ? word : word.substring(0, equals), known);
  }

  /** Options of more than a letter have two hyphens; a query or a path may begin with one. */
  private static boolean isHyphenatedWord(CommandLine.ParameterException e) {
    return e instanceof CommandLine.UnmatchedArgumentException unmatched
        && unmatched.isUnknownOption()
        && !unmatched.getUnmatched().getFirst().startsWith("--");
  }

  private static int report(Log log, Exception e, CommandLine command, Settings settings) {
    boolean usersMistake = e instanceof BuildException || e instanceof IllegalArgumentException;
    int exitCode = usersMistake ? ExitCode.USAGE : ExitCode.FAILED;
    String message = OptionWords.of(describe(e), command.getCommandSpec());
    String origins = settings.originOfOptionsIn(message, command.getCommandSpec());
    log.error(message + origins, exitCode);
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
      return "stopped; unfinished files were deleted";
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
}
