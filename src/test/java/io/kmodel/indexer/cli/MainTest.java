package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.cli.command.Commands;
import io.kmodel.indexer.memory.OffHeap;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** What the program says of calls that it does not understand, and of what fails. */
class MainTest extends CommandCalls {
  @ParameterizedTest
  @MethodSource("failures")
  void whatFailsIsSaidInWords(Exception failure, String words) {
    assertThat(Main.describe(failure)).isEqualTo(words);
  }

  private static List<Arguments> failures() {
    return List.of(
        Arguments.of(new NoSuchFileException("/a"), "no such file or directory: /a"),
        Arguments.of(new AccessDeniedException("/a"), "permission denied: /a"),
        Arguments.of(new FileAlreadyExistsException("/a"), "exists already: /a"),
        Arguments.of(new NoSuchFileException("/a", null, "gone"), "/a: gone"),
        Arguments.of(new FileSystemException("/a", null, "full"), "/a: full"),
        Arguments.of(new IOException("a: full"), "a: full"),
        Arguments.of(new IllegalStateException("odd"), "odd"),
        Arguments.of(new EOFException(), "java.io.EOFException"),
        Arguments.of(new Exception("odd"), "java.lang.Exception: odd"),
        Arguments.of(new InterruptedException(), "stopped; unfinished files were deleted"),
        Arguments.of(new InterruptedIOException("odd"), "stopped; unfinished files were deleted"),
        Arguments.of(new ClosedByInterruptException(), "stopped; unfinished files were deleted"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          build crawl -o index              | raise --memory or lower --threads
          experiment sorters                | lower --threads or set INDEXER_JAVA_OPTIONS=-Xmx... in the environment
          search index river                | set INDEXER_JAVA_OPTIONS=-Xmx... in the environment
          terms index                       | set INDEXER_JAVA_OPTIONS=-Xmx... in the environment
          """)
  void whereMemoryRunsOutOnlyWhatTheCommandHasIsAdvised(String call, String advice) {
    runOutOfMemory("Java heap space", call);
    assertThat(err.toString())
        .isEqualTo("indexer: out of memory (Java heap space); %s%n".formatted(advice));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          build crawl -o index              | ; lower --memory or --threads
          experiment sorters                | ; lower --threads or --keys
          search index river                | ''
          """)
  void whereTheSystemHasNoMoreNoLargerHeapIsAdvised(String call, String advice) {
    runOutOfMemory("no 8 bytes of memory " + OffHeap.OUTSIDE, call);
    assertThat(err.toString())
        .isEqualTo(
            "indexer: out of memory (no 8 bytes of memory outside the heap); the operating system (or"
                + " ulimit -v) refused more memory%s%n",
            advice);
  }

  private void runOutOfMemory(String message, String call) {
    String[] arguments = call.split(" ", -1);
    CommandLine program =
        Commands.of(arguments)
            .setErr(new PrintWriter(err))
            .setExecutionStrategy(
                parsed -> {
                  throw new OutOfMemoryError(message);
                });
    assertThat(Main.execute(program, Map.of(), arguments)).isEqualTo(ExitCode.FAILED);
  }

  @Test
  void aCallWithoutACommandSaysWhereTheyAreListed() {
    assertThat(run()).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString().lines())
        .containsExactly(
            "indexer: no command given; 'indexer --help' lists them", "Try 'indexer --help'.");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void aNameThatIsNearlyThatOfACommandOrOptionBringsItToMind() {
    assertThat(run("serch", "index")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("'serch', 'index'; did you mean 'search'?");
    assertThat(run("biuld", "crawl")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("; did you mean 'build'?");
    assertThat(run("build", "crawl", "--tread=2")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("Unknown option: '--tread=2'; did you mean '--threads'?");
    assertThat(run("build", "corpus-samples", "--thread", "1")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("'--thread'", "--threads", "Try 'indexer build --help'.");
  }

  /** Each line is one event, so there are no hints beside it. */
  @Test
  void machinesAreToldInOneLine() throws IOException {
    assertThat(run("serch", "index", "--log=json")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString().lines()).hasSize(1);
    JsonNode event = new ObjectMapper().readTree(err.toString());
    assertThat(event.get("event").asText()).isEqualTo("error");
    assertThat(event.get("exitCode").asInt()).isEqualTo(ExitCode.USAGE);
  }
}
