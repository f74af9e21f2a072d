package io.kmodel.indexer.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The program that is in target, run by Java as bin/indexer runs it, but quicker to start. */
final class Program {
  /** How a call ended, and what it said. */
  record Ended(int exitCode, String err) {}

  /** A small Java that starts quickly. */
  private static final List<String> JAVA =
      List.of(
          ProcessHandle.current().info().command().orElse("java"),
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-Xmx128m",
          "-Dindexer.memory=256m",
          "--enable-native-access=ALL-UNNAMED");

  private final Path directory;
  private final List<String> prefix = new ArrayList<>();
  private final List<String> java = new ArrayList<>();

  /** A program whose errors go to a file of a directory. */
  Program(Path directory) {
    this.directory = directory;
    java.addAll(JAVA);
    java.add("-XX:AOTCache=" + Path.of("target/indexer.aot").toAbsolutePath());
    java.add("-Xlog:aot*=off,cds*=off:stderr");
  }

  /**
   * The command of a program of the classes under test, for unit tests: they run before the jar is
   * made.
   */
  static List<String> ofClasses(String... javaOptions) {
    List<String> command = new ArrayList<>(JAVA);
    command.add("-Djdk.util.jar.version=21");
    command.addAll(List.of(javaOptions));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    return command;
  }

  /** Lets it open so many files at once. */
  Program withOpenFiles(int most) {
    prefix.addAll(List.of("sh", "-c", "ulimit -n %d && exec \"$@\"".formatted(most), "sh"));
    return this;
  }

  Process start(List<String> javaOptions, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(prefix);
    command.addAll(java);
    command.addAll(javaOptions);
    command.addAll(List.of("-jar", Path.of("target/indexer.jar").toAbsolutePath().toString()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(errors().toFile())
        .start();
  }

  Ended run(List<String> javaOptions, String... arguments)
      throws IOException, InterruptedException {
    return end(start(javaOptions, arguments));
  }

  /** Waits for a process that was started last. */
  Ended end(Process process) throws IOException, InterruptedException {
    int exitCode = process.waitFor();
    return new Ended(exitCode, Files.readString(errors()));
  }

  private Path errors() {
    return directory.resolve("program.err");
  }
}
