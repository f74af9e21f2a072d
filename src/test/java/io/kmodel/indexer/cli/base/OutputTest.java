package io.kmodel.indexer.cli.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.cli.Main;
import io.kmodel.indexer.cli.command.Commands;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a call whose output cannot be written. */
class OutputTest {
  private static final String DOCUMENTS = "corpus-samples/trec/docs";

  @TempDir static Path directory;
  private final StringWriter err = new StringWriter();

  @BeforeAll
  static void build() {
    for (String call :
        List.of(
            "build " + DOCUMENTS + " -o INDEX",
            "search INDEX --topics corpus-samples/trec/topics.txt --run RUN")) {
      int code = new OutputTest().run(OutputStream.nullOutputStream(), false, call);
      assertThat(code).as(call).isEqualTo(ExitCode.OK);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--version",
        "--help",
        "help",
        "settings",
        "manual",
        "completion",
        "search INDEX merge",
        "search INDEX no-such-word",
        "search INDEX xyzzy",
        "terms INDEX -n 100",
        "postings INDEX merge",
        "stats INDEX",
        "stats INDEX --json",
        "verify INDEX",
        "export ciff INDEX CIFF --overwrite",
        "evaluate RUN corpus-samples/trec/qrels.txt",
        "build " + DOCUMENTS + " -o ANOTHER --overwrite",
        "build " + DOCUMENTS + " --dry-run"
      })
  void outputThatCannotBeWrittenIsAFailure(String call) {
    assertThat(run(new Full(), false, call + " --log json")).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString())
        .endsWith("\"event\":\"error\",\"message\":\"standard output: no room\",\"exitCode\":3}\n");
    err.getBuffer().setLength(0);
    assertThat(run(new Full(), true, call)).as("nobody reads it").isEqualTo(ExitCode.UNREAD);
    assertThat(err.toString()).doesNotContain("output");
  }

  @Test
  void anErrorOfTheCallIsTheOneThatIsTold() {
    assertThat(run(new Full(), false, "search INDEX")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("give either").doesNotContain("standard output");
  }

  @Test
  void whatSaysNothingDoesNotFail() {
    assertThat(run(new Full(), false, "verify INDEX --quiet")).isEqualTo(ExitCode.OK);
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void aLineIsWrittenWhenItEndsAndTheRestAtTheEnd() {
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    Output output = new Output(stream, StandardCharsets.UTF_8, () -> false);
    output.writer().println("Häuser");
    assertThat(stream.toString(StandardCharsets.UTF_8)).isEqualTo("Häuser%n".formatted());
    output.writer().print("Brücken");
    assertThat(output.exitCode(ExitCode.INCOMPLETE, log())).isEqualTo(ExitCode.INCOMPLETE);
    assertThat(stream.toString(StandardCharsets.UTF_8)).endsWith("%nBrücken".formatted());
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void nothingIsWrittenAfterWhatIsMissing() throws IOException {
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    OutputStream onceFull =
        new OutputStream() {
          private boolean failed;

          @Override
          public void write(int b) throws IOException {
            if (!failed) {
              failed = true;
              throw new IOException("no room");
            }
            written.write(b);
          }
        };
    Output output = new Output(onceFull, StandardCharsets.UTF_8, () -> false);
    assertThatThrownBy(() -> output.write('a')).hasMessage("no room");
    assertThatThrownBy(() -> output.write('b')).hasMessage("no room");
    assertThat(written.size()).isZero();
    assertThat(output.exitCode(ExitCode.OK, log())).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).isEqualTo("indexer: standard output: no room%n".formatted());
  }

  private Log log() {
    return new Log(new PrintWriter(err), Log.Format.TEXT);
  }

  private int run(OutputStream stream, boolean isPipe, String call) {
    String[] arguments = call.split(" ");
    for (int i = 0; i < arguments.length; i++) {
      if (arguments[i].matches("[A-Z]+")) {
        arguments[i] = directory.resolve(arguments[i]).toString();
      }
    }
    return Main.run(
        Commands.of(arguments).setErr(new PrintWriter(err)),
        new Output(stream, StandardCharsets.UTF_8, () -> isPipe),
        Map.of(),
        arguments);
  }

  /** A disk without room. */
  private static final class Full extends OutputStream {
    @Override
    public void write(int b) throws IOException {
      throw new IOException("no room");
    }
  }
}
