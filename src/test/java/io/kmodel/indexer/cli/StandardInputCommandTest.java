package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.kmodel.indexer.Thorough;
import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.source.warc.Warcs;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code build -} and {@code append INDEX -}, in processes with a standard input. */
class StandardInputCommandTest extends CommandCalls {
  private static final Path PYTHON = Path.of("/usr/bin/python3");
  private static final Pattern CODE = Pattern.compile("(?s)```python\n(.*?)```");
  private static final int TERMINATED = 143;

  @TempDir Path logs;

  @Test
  void whatCannotBeReadTwiceIsRefused() {
    String made = directory.resolve("made").toString();
    assertThat(run("build", "-", "-", "-o", made)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("standard input (-) can be read only once");
    assertThat(run("build", "-", "--from", "-", "-o", made)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("can be read only once, as a PATH or by --from");
    assertThat(run("build", "-", "/dev/stdin", "-o", made)).isEqualTo(ExitCode.USAGE);
    assertThat(run("build", "-", "-o", made, "--dry-run")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--dry-run cannot estimate standard input (-)");
    assertThat(directory.resolve("made.building")).doesNotExist();
  }

  @Test
  void aTerminalIsNoInput() throws Exception {
    Process call = start(List.of("-Dindexer.terminal.input=true"), "build", "-", "-o", made());
    assertThat(call.waitFor()).isEqualTo(ExitCode.USAGE);
    assertThat(errors()).contains("standard input is a terminal: pipe documents into it");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void compressedLinesBecomeAnIndexAndOthersAreAppended() throws Exception {
    byte[] one = "{\"id\": \"a\", \"contents\": \"one sea\"}\n".getBytes(StandardCharsets.UTF_8);
    assertThat(call(Warcs.gzip(one), "build", "-", "-o", made(), "-q")).as(errors()).isZero();
    byte[] two = "{\"id\": \"b\", \"contents\": \"two seas\"}\n".getBytes(StandardCharsets.UTF_8);
    assertThat(call(two, "append", made(), "-", "-q")).as(errors()).isZero();
    // A second append of a stream has other documents, although its options are the same, even if
    // the first one was killed just before it ended.
    List<String> killed = List.of("-Dindexer.end-at=APPENDED");
    Process dying = start(killed, "append", made(), "-", "-q");
    end(dying, "three seas".getBytes(StandardCharsets.UTF_8));
    assertThat(directory.resolve("made.appending/merged")).exists();
    byte[] four = "four seas".getBytes(StandardCharsets.UTF_8);
    assertThat(call(four, "append", made(), "-", "-q")).as(errors()).isZero();
    List<String> texts = List.of("one sea", "two seas", "three seas", "four seas");
    for (int i = 0; i < texts.size(); i++) {
      String number = String.valueOf(i);
      assertThat(run("document", made(), number, "--number", "--field", "contents")).isZero();
      assertThat(out.toString()).isEqualTo(texts.get(i) + "\n");
    }
  }

  @Test
  void aBuildThatIsStoppedWhileItReadsLeavesNothing() throws Exception {
    Process build = start(List.of(), "build", "-", "-o", made());
    try (OutputStream input = build.getOutputStream()) {
      input.write(new byte[1 << 16]);
      input.flush();
      Path copy = directory.resolve("made.building/stdin.part");
      for (int i = 0; i < 6000 && !(Files.exists(copy) && Files.size(copy) > 0); i++) {
        Thread.sleep(10);
      }
      assertThat(copy).isNotEmptyFile();
      build.destroy();
      assertThat(build.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(build.exitValue()).as(errors()).isEqualTo(TERMINATED);
    assertThat(errors()).contains("stopped; unfinished files were deleted");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void theGuideToPythonWorks() throws Exception {
    Process python = python();
    String said = said(python);
    assertThat(python.waitFor()).as(said).isZero();
    assertThat(said).isEmpty();
    String index = directory.resolve("index").toString();
    assertThat(run("search", index, "flood", "--filter", "year:2042")).isZero();
    assertThat(out.toString()).contains("doc-42").doesNotContain("doc-41");
  }

  @Thorough
  @Test
  void theGuideToPythonTellsOfFailures() throws Exception {
    Files.writeString(directory.resolve("index"), "a file");
    // More than a pipe holds, so that writing fails.
    Process refused = python("range(100)", "range(100_000)");
    assertThat(said(refused))
        .contains("index exists already", "CalledProcessError")
        .doesNotContain("BrokenPipeError");
    assertThat(refused.waitFor()).isNotZero();
    Files.delete(directory.resolve("index"));
    Process failing = python("for i in range(100)", "for i in [1, 2, \"no number\"]");
    assertThat(said(failing)).contains("TypeError").doesNotContain("CalledProcessError");
    assertThat(failing.waitFor()).isNotZero();
    assertThat(directory.resolve("index")).doesNotExist();
    assertThat(directory.resolve("index.building")).doesNotExist();
  }

  /** Runs the program of the guide with the classes under test, and with some text replaced. */
  private Process python(String... change) throws IOException {
    assumeTrue(Files.isExecutable(PYTHON), "no " + PYTHON);
    Matcher code = CODE.matcher(Files.readString(Path.of("docs/user/python.md")));
    assertThat(code.results()).hasSize(1);
    assertThat(code.reset().find()).isTrue();
    String program = new ObjectMapper().writeValueAsString(Program.ofClasses());
    String script = code.group(1).replace("[\"bin/indexer\"]", program);
    assertThat(script).contains(Main.class.getName());
    if (change.length == 2) {
      assertThat(script).contains(change[0]);
      script = script.replace(change[0], change[1]);
    }
    Path file = Files.writeString(logs.resolve("guide.py"), script);
    return new ProcessBuilder(PYTHON.toString(), file.toString())
        .directory(directory.toFile())
        .redirectErrorStream(true)
        .start();
  }

  private static String said(Process process) throws IOException {
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  private String made() {
    return directory.resolve("made").toString();
  }

  private int call(byte[] input, String... arguments) throws IOException, InterruptedException {
    return end(start(List.of(), arguments), input);
  }

  private static int end(Process process, byte[] input) throws IOException, InterruptedException {
    try (OutputStream to = process.getOutputStream()) {
      to.write(input);
    }
    return process.waitFor();
  }

  private Process start(List<String> javaOptions, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(Program.ofClasses(javaOptions.toArray(String[]::new)));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(log().toFile())
        .start();
  }

  private String errors() throws IOException {
    return Files.readString(log());
  }

  private Path log() {
    return logs.resolve("log");
  }
}
