package io.kmodel.indexer.experiment.race;

import io.kmodel.indexer.experiment.Child;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Fetches and runs another program, and measures its process. */
final class RivalProgram {
  private static final String COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy";

  /** Starts an error of Maven. */
  private static final String ERROR = "[ERROR]";

  private static final String PEAK_RESIDENT = "VmHWM:";
  private static final Duration PAUSE = Duration.ofMillis(20);

  /**
   * What a process took.
   *
   * @param seconds from its start to its end
   * @param cpuSeconds processor time of all its threads, up to a few hundredths before its end
   * @param peakMemoryBytes its largest resident set; -1 if unknown
   * @param output its output, errors after the rest
   */
  record Run(double seconds, double cpuSeconds, long peakMemoryBytes, String output) {}

  private RivalProgram() {}

  /**
   * Fetches a program with Maven, which keeps it in its local repository.
   *
   * @param artifact Maven's coordinates
   * @param directory receives the jar file
   */
  static Path fetch(String artifact, Path directory) throws IOException, InterruptedException {
    Path to = Files.createDirectories(directory).toAbsolutePath();
    ProcessBuilder maven =
        new ProcessBuilder(
            "mvn",
            "-B",
            "-q",
            "-Dstyle.color=never",
            COPY,
            "-Dartifact=" + artifact,
            "-DoutputDirectory=" + to);
    // Not the project of the current directory, if there is one.
    maven.directory(to.toFile());
    Child.End end;
    try {
      end = Child.run(maven);
    } catch (IOException e) {
      throw new IOException(
          "cannot run Maven to fetch %s: %s; fetch it yourself and name the jar file by --rival-jar"
              .formatted(artifact, e.getMessage()),
          e);
    }
    try (Stream<Path> files = Files.list(to)) {
      Path jar = files.filter(f -> f.toString().endsWith(".jar")).findFirst().orElse(null);
      if (end.exit() == 0 && jar != null) {
        return jar;
      }
    }
    throw new IOException(
        "Maven cannot fetch %s: %s"
            .formatted(artifact, firstError(end.output() + end.errors(), end.exit())));
  }

  /**
   * Runs a Java program with the Java of this process.
   *
   * @param heapBytes the largest heap
   * @throws IOException if it fails
   */
  static Run run(String name, long heapBytes, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.add("-Xmx" + (heapBytes >> 20) + "m");
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(arguments);
    Usage usage = new Usage();
    long start = System.nanoTime();
    Child.End end = Child.run(new ProcessBuilder(command), usage::follow);
    double seconds = (System.nanoTime() - start) / 1e9;
    String output = end.output() + end.errors();
    if (end.exit() != 0) {
      throw new IOException(
          "%s failed with exit code %d: %s".formatted(name, end.exit(), lastLines(output)));
    }
    return new Run(seconds, usage.cpuSeconds, usage.peakMemoryBytes, output);
  }

  /** The reason that Maven gives, which it follows by several lines of general advice. */
  private static String firstError(String output, int exit) {
    return output
        .lines()
        .filter(line -> line.contains(ERROR))
        .map(line -> line.substring(line.indexOf(ERROR) + ERROR.length()).strip())
        .findFirst()
        .orElse("exit code %d, no jar file and no error".formatted(exit));
  }

  private static String lastLines(String text) {
    List<String> lines = text.lines().filter(line -> !line.isBlank()).toList();
    return String.join("; ", lines.subList(Math.max(0, lines.size() - 5), lines.size()));
  }

  /** Processor time and memory of a process, sampled while it runs. */
  private static final class Usage {
    private volatile double cpuSeconds;
    private volatile long peakMemoryBytes = -1;

    void follow(Process process) {
      Thread.ofVirtual().start(() -> sample(process));
    }

    private void sample(Process process) {
      try {
        while (process.isAlive()) {
          process.info().totalCpuDuration().ifPresent(cpu -> cpuSeconds = cpu.toNanos() / 1e9);
          for (String line : Files.readAllLines(Path.of("/proc/" + process.pid() + "/status"))) {
            if (line.startsWith(PEAK_RESIDENT)) {
              String kibibytes = line.substring(PEAK_RESIDENT.length()).replace("kB", "").strip();
              peakMemoryBytes = Long.parseLong(kibibytes) << 10;
            }
          }
          Thread.sleep(PAUSE);
        }
      } catch (IOException e) {
        // The process ended, or this system has no such file.
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
