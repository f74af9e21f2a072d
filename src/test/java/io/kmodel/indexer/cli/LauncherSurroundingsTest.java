package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kmodel.indexer.cli.Launcher.Ended;
import io.kmodel.indexer.cli.base.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What bin/indexer makes of the locale, the directories and the terminal that it is called with.
 */
class LauncherSurroundingsTest {
  /** Prints the encoding that a program without a word of its own would take, and its options. */
  private static final String JAVA =
      "#!/bin/sh\nPATH=$TEST_PATH locale charmap\nprintf '%s\\n' \"LC_ALL=$LC_ALL\" \"$@\"\n";

  @TempDir Path directory;
  private final Map<String, String> environment = new HashMap<>();

  @BeforeEach
  void makeProgram() throws IOException {
    Path jdk = directory.resolve("jdk");
    script(jdk.resolve("bin/java"), JAVA);
    Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"25.0.3\"\n");
    environment.put("INDEXER_JAVA_HOME", jdk.toString());
    Files.createFile(directory.resolve("indexer.jar"));
    environment.put("INDEXER_PROGRAM", directory.toString());
    environment.put("TEST_PATH", System.getenv("PATH"));
  }

  @ParameterizedTest
  @CsvSource({
    "'', '', ''",
    "xx_YY.UTF-8, '', ''",
    "'', UTF8, ''",
    "C.UTF-8, '', xx_YY.utf8",
    "C.UTF-8, POSIX, ''"
  })
  void whereTheLocalesEncodingIsNotUtf8WhateverItIsCalledItIsMadeSo(
      String language, String type, String all) throws Exception {
    environment.putAll(Map.of("LANG", language, "LC_CTYPE", type, "LC_ALL", all));
    assertThat(call().out().lines()).startsWith("UTF-8").doesNotContain("LC_ALL=");
  }

  @Test
  void aLocaleInUtf8StaysAsItIs() throws Exception {
    environment.putAll(Map.of("LANG", "C.UTF-8", "LC_CTYPE", "", "LC_ALL", ""));
    assertThat(call().out().lines()).startsWith("UTF-8", "LC_ALL=");
  }

  @Test
  void whereNothingTellsTheEncodingItIsUtf8() throws Exception {
    script(directory.resolve("tools/locale"), "#!/bin/sh\nexit 127\n");
    environment.put("PATH", directory.resolve("tools") + ":" + System.getenv("PATH"));
    environment.putAll(Map.of("LANG", "xx_YY.UTF-8", "LC_CTYPE", "", "LC_ALL", ""));
    assertThat(call().out().lines()).startsWith("UTF-8", "LC_ALL=C.UTF-8");
  }

  @Test
  void directoriesThatCdLooksIntoAreNotTheProgramsOwn() throws Exception {
    Path project = directory.resolve("project");
    Files.createDirectories(project.resolve("bin"));
    Files.createDirectories(directory.resolve("elsewhere/bin"));
    Files.copy(
        Path.of("bin/indexer"), project.resolve("bin/indexer"), StandardCopyOption.COPY_ATTRIBUTES);
    environment.put("CDPATH", directory.resolve("elsewhere").toString());
    String call = "cd '%s' && bin/indexer stats".formatted(project);
    Ended ended = Launcher.run(Path.of("bash"), environment, "-c", call);
    assertThat(ended.out().lines()).contains("-Dindexer.home=" + project.toRealPath());
  }

  @Test
  void theProgramIsToldOfATerminalWhereErrorsGoToOne() throws Exception {
    assertThat(call().out()).doesNotContain("terminal");
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/script")), "no pseudo-terminal");
    Path out = directory.resolve("out");
    onTerminal("bin/indexer stats >'%s'".formatted(out));
    assertThat(out).content().contains("\n-Dindexer.terminal=true\n");
    assertThat(onTerminal("bin/indexer stats 2>'%s'".formatted(out)).out())
        .contains("-jar", "\n-Dindexer.terminal.input=true")
        .doesNotContain("terminal=");
    assertThat(onTerminal("bin/indexer stats </dev/null").out()).doesNotContain("terminal.input");
  }

  @Test
  void standardInputThatIsClosedIsEmpty() throws Exception {
    script(directory.resolve("jdk/bin/java"), "#!/bin/sh\nreadlink /proc/self/fd/0\n");
    String call = "bin/indexer build - <&-";
    assertThat(Launcher.run(Path.of("bash"), environment, "-c", call).out())
        .isEqualTo("/dev/null\n");
    call = "echo one | bin/indexer build -";
    assertThat(Launcher.run(Path.of("bash"), environment, "-c", call).out()).startsWith("pipe:");
  }

  /** Java itself ends with 1 then, with which a build ends that has skipped documents. */
  @Test
  void whereJavaDoesNotStartTheCallHasFailed() throws Exception {
    environment.put("INDEXER_JAVA_HOME", System.getProperty("java.home"));
    environment.put("INDEXER_JAVA_OPTIONS", "-Xnone");
    Ended ended = Launcher.run(Path.of("bin/indexer"), environment, "stats");
    assertThat(ended.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(ended.out()).isEmpty();
    assertThat(ended.err()).startsWith("indexer: Java does not start:").contains("-Xnone");
    environment.remove("INDEXER_JAVA_OPTIONS");
    environment.put("_JAVA_OPTIONS", "-Xnone");
    Ended variable = Launcher.run(Path.of("bin/indexer"), environment, "stats");
    assertThat(variable.exitCode()).as(variable.err()).isEqualTo(ExitCode.FAILED);
    assertThat(variable.err()).contains("-Xnone");
    environment.remove("_JAVA_OPTIONS");
    String limited = "ulimit -v 300000 && bin/indexer stats";
    Ended small = Launcher.run(Path.of("bash"), environment, "-c", limited);
    assertThat(small.exitCode()).as(small.err()).isEqualTo(ExitCode.FAILED);
    assertThat(small.out()).isEmpty();
  }

  /** Root may start any number, so a Java that fails stands in for the limit. */
  @Test
  void javaIsTriedFirstIfFewProcessesMayBeStarted() throws Exception {
    script(
        directory.resolve("jdk/bin/java"), "#!/bin/sh\necho pthread_create failed >&2\nexit 1\n");
    String call = "ulimit -u 500 && bin/indexer stats";
    Ended few = Launcher.run(Path.of("bash"), environment, "-c", call);
    assertThat(few.exitCode()).as(few.err()).isEqualTo(ExitCode.FAILED);
    assertThat(few.err()).startsWith("indexer: Java does not start:").contains("pthread_create");
  }

  @Test
  void whereTooFewFilesMayBeOpenForJavaToStartTheCallHasFailed() throws Exception {
    Ended few =
        Launcher.run(Path.of("bash"), environment, "-c", "ulimit -n 20 && bin/indexer stats");
    assertThat(few.exitCode()).as(few.err()).isEqualTo(ExitCode.FAILED);
    assertThat(few.err()).startsWith("indexer: only 20 files may be open (ulimit -n)");
    assertThat(few.out()).isEmpty();
    Ended enough =
        Launcher.run(Path.of("bash"), environment, "-c", "ulimit -n 64 && bin/indexer stats");
    assertThat(enough.exitCode()).as(enough.err()).isEqualTo(ExitCode.OK);
  }

  private Ended onTerminal(String call) throws IOException, InterruptedException {
    return Launcher.run(Path.of("script"), environment, "-qec", call, "/dev/null");
  }

  private Ended call() throws IOException, InterruptedException {
    Ended ended = Launcher.run(Path.of("bin/indexer"), environment, "stats");
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(ExitCode.OK);
    return ended;
  }

  private static void script(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }
}
