package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.cli.Launcher.Ended;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** INDEXER_LEARN, with a program that has learned something else and a Java that is a script. */
class LauncherLearnTest {
  private static final Path LAUNCHER = Path.of("bin/indexer");

  private static final String JAVA =
      """
      #!/usr/bin/env bash
      set -eu
      for argument in "$@"; do
        case $argument in
          -XX:AOTCache=*) cache=${argument#*=} ;;
          -XX:AOTConfiguration=*) seen=${argument#*=} ;;
        esac
      done
      case " $* " in
        *AOTMode=create*)
          echo assembling
          [ -z "${TEST_NO_ROOM:-}" ] || { echo no room; exit 1; }
          cat "$seen" >"$cache"
          exit
          ;;
        *AOTMode=on*) grep -q new "$cache"; exit ;;
      esac
      printf '%s\\n' "${@: -2}"
      if [ -n "${TEST_WAITS:-}" ]; then
        trap 'echo ended >"$TEST_WAITS"; exit 143' TERM
        echo started >"$TEST_WAITS"
        while :; do sleep 0.05; done
      fi
      [ -z "${seen:-}" ] || echo "${TEST_LEARNS:-new}" >"$seen"
      exit "${TEST_CODE:-0}"
      """;

  @TempDir Path directory;
  private Path program;
  private final Map<String, String> environment = new HashMap<>();

  @BeforeEach
  void makeProgram() throws IOException {
    Path jdk = directory.resolve("jdk");
    Path java = jdk.resolve("bin/java");
    Files.createDirectories(java.getParent());
    Files.writeString(java, JAVA);
    assertThat(java.toFile().setExecutable(true)).isTrue();
    Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"25.0.3\"\n");
    program = Files.createDirectory(directory.resolve("a program"));
    Files.createFile(program.resolve("indexer.jar"));
    Files.writeString(program.resolve("indexer.aot"), "old\n");
    Files.copy(jdk.resolve("release"), program.resolve("indexer.aot.of"));
    environment.put("INDEXER_JAVA_HOME", jdk.toString());
    environment.put("INDEXER_PROGRAM", program.toString());
    environment.put("INDEXER_LEARN", "yes");
  }

  @ParameterizedTest
  @ValueSource(ints = {ExitCode.OK, ExitCode.INCOMPLETE})
  void whatWasLearnedTakesThePlaceOfWhatWasThere(int code) throws Exception {
    environment.put("TEST_CODE", String.valueOf(code));
    Files.createDirectory(program.resolve("learning-999999999"));
    Ended ended = run("build", "crawl");
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(code);
    assertThat(ended.out()).as("the call's output, and nothing else").isEqualTo("build\ncrawl\n");
    assertThat(ended.err()).contains("later calls begin with what Java has learned in this one");
    assertKept("new");
  }

  /** Both may be named from where the caller is. */
  @Test
  void theJdkAndTheProgramMayHaveRelativePaths() throws Exception {
    Path here = Path.of("").toAbsolutePath();
    environment.put("INDEXER_JAVA_HOME", here.relativize(directory.resolve("jdk")).toString());
    environment.put("INDEXER_PROGRAM", here.relativize(program).toString());
    environment.put("CDPATH", ".");
    Ended ended = run("build", "crawl");
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(ExitCode.OK);
    assertThat(ended.out()).isEqualTo("build\ncrawl\n");
    assertThat(ended.err()).hasLineCount(1).contains("later calls begin with");
    assertKept("new");
  }

  @ParameterizedTest
  @CsvSource({
    "TEST_CODE, 3, 3, 'nothing is kept of what Java has learned in this call, as it ended with 3'",
    "TEST_NO_ROOM, yes, 0, could not be kept: no room",
    "TEST_LEARNS, what does not fit, 0, could not be kept"
  })
  void whatCannotBeKeptLeavesTheCallsResultAndWhatWasThere(
      String variable, String value, int code, String told) throws Exception {
    environment.put(variable, value);
    Ended ended = run("build", "crawl");
    assertThat(ended.exitCode()).isEqualTo(code);
    assertThat(ended.err()).contains(told);
    assertKept("old");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-XX:AOTMode=off", "-XX:AOTMode=auto", "-Xshare:off"})
  void aCallWithItsOwnArchiveTeachesNothing(String option) throws Exception {
    environment.put("INDEXER_JAVA_OPTIONS", option);
    Ended ended = run("build", "crawl");
    assertThat(ended.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(ended.out()).isEmpty();
    assertThat(ended.err()).hasLineCount(1).contains("INDEXER_LEARN", "an archive of its own");
    assertKept("old");
  }

  @Test
  void neitherDoesOneWithVectors() throws Exception {
    Ended ended = run("experiment", "sorters");
    assertThat(ended.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(ended.err()).contains("INDEXER_LEARN", "with vectors");
    assertKept("old");
  }

  @Test
  void whoStopsTheCallStopsItsJava() throws Exception {
    Path state = directory.resolve("state");
    environment.put("TEST_WAITS", state.toString());
    ProcessBuilder builder = new ProcessBuilder(LAUNCHER.toString(), "build", "crawl");
    builder.environment().putAll(environment);
    Process process = builder.redirectErrorStream(true).redirectOutput(Redirect.DISCARD).start();
    while (!Files.exists(state)) {
      assertThat(process.waitFor(20, TimeUnit.MILLISECONDS)).isFalse();
    }
    process.destroy();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(143);
    assertThat(state).content().isEqualTo("ended\n");
    assertKept("old");
  }

  private Ended run(String... arguments) throws IOException, InterruptedException {
    return Launcher.run(LAUNCHER, environment, arguments);
  }

  private void assertKept(String what) {
    assertThat(program.resolve("indexer.aot")).content().isEqualTo(what + "\n");
    assertThat(program.resolve("indexer.aot.of")).content().contains("25.0.3");
    if (what.equals("new")) {
      assertThat(program.resolve("indexer.aot.of"))
          .content()
          .containsPattern("(?m)^indexer\\.jar 0 [0-9]+$");
    }
    assertThat(program).isDirectoryNotContaining("glob:**learning-*");
  }
}
