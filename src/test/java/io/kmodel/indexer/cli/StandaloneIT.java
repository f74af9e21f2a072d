package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import io.kmodel.indexer.Thorough;
import io.kmodel.indexer.cli.Launcher.Ended;
import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.indexing.IndexFilesHash;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.spark.launcher.JavaModuleOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A master and workers of Spark with different addresses, between which tasks are speculated. */
@Thorough
@Timeout(600)
class StandaloneIT {
  private static final int WAITED_SECONDS = 120;

  @TempDir Path directory;
  private SparkHome spark;
  private int port;
  private final List<Process> processes = new ArrayList<>();

  @SuppressWarnings("NullAway.Init") // JUnit calls start
  StandaloneIT() {}

  @BeforeEach
  void start() throws IOException, InterruptedException {
    spark = new SparkHome(directory.resolve("spark"));
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    start("org.apache.spark.deploy.master.Master", "127.0.0.1", "--port", String.valueOf(port));
    TimeUnit.SECONDS.sleep(3);
    for (String host : List.of("127.0.0.2", "127.0.0.3")) {
      start(
          "org.apache.spark.deploy.worker.Worker",
          host,
          "--cores",
          "1",
          "--memory",
          "1g",
          "--work-dir",
          directory.resolve(host).toString(),
          master());
    }
  }

  private String master() {
    return "spark://127.0.0.1:" + port;
  }

  private void start(String main, String host, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        Splitter.on(' ').omitEmptyStrings().splitToList(JavaModuleOptions.defaultModuleOptions()));
    command.addAll(List.of("-Xmx256m", "-cp", directory.resolve("spark/jars") + "/*", main));
    command.addAll(List.of("--host", host, "--webui-port", "0"));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve(host + ".log").toFile());
    builder.environment().putAll(spark.environment());
    builder.environment().put("SPARK_LOCAL_IP", host);
    processes.add(builder.start());
  }

  @AfterEach
  void stop() {
    for (Process process : processes) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  /** An executor that does nothing for a while, as if its machine had no time for it. */
  @Test
  void aStragglerIsReplacedAndMayEndLate()
      throws IOException, InterruptedException, ExecutionException {
    Path made = directory.resolve("made");
    String options =
        "--conf spark.speculation=true --conf spark.speculation.quantile=0.3"
            + " --conf spark.speculation.multiplier=1.1 --conf spark.speculation.interval=100ms"
            + " --conf spark.executor.cores=1 --conf spark.executor.memory=1000m";
    CompletableFuture<Ended> build =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return spark.build(
                    Map.of("INDEXER_SPARK_OPTIONS", options),
                    "corpus-samples",
                    made.toString(),
                    master(),
                    "--split-size",
                    "32k",
                    "--duplicates",
                    "skip");
              } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    Path work = directory.resolve("made.cluster");
    await(build, () -> !names(work.resolve("sealed")).isEmpty());
    ProcessHandle executor =
        processes.get(1).descendants().filter(this::isExecutor).findFirst().orElseThrow();
    signal("STOP", executor);
    // Ranges are merged, so another executor has done what this one holds.
    await(build, () -> !names(work.resolve("ranges")).isEmpty());
    assertThat(build).isNotDone();
    signal("CONT", executor);
    Ended ended = build.get();
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(ExitCode.INCOMPLETE);
    Path whole = directory.resolve("whole");
    Launcher.run(
        "build", "corpus-samples", "--output", whole.toString(), "--duplicates", "skip", "-q");
    assertThat(IndexFilesHash.of(made)).isEqualTo(IndexFilesHash.of(whole));
  }

  private boolean isExecutor(ProcessHandle process) {
    return process.info().command().orElse("").endsWith("java");
  }

  private static void signal(String name, ProcessHandle process)
      throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start();
    assertThat(kill.waitFor()).isZero();
  }

  /** A condition of files. */
  private interface Condition {
    boolean holds() throws IOException;
  }

  private static void await(CompletableFuture<Ended> build, Condition condition)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAITED_SECONDS);
    while (!condition.holds()) {
      if (build.isDone() || System.nanoTime() > end) {
        throw new AssertionError(build.isDone() ? build.join().err() : "nothing happens");
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  private static List<String> names(Path small) throws IOException {
    if (!Files.isDirectory(small)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(small)) {
      return all.map(path -> path.getFileName().toString()).toList();
    }
  }
}
