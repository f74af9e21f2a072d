package io.kmodel.indexer.cli;

import com.google.common.base.Splitter;
import io.kmodel.indexer.cli.Launcher.Ended;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A directory as Spark is installed in, with the jars of this project's tests, and a spark-submit
 * that starts Spark's own launcher, as Spark's does.
 */
final class SparkHome {
  private static final String SUBMIT =
      """
      #!/usr/bin/env bash
      set -euo pipefail
      command=()
      while IFS= read -r -d '' word; do command+=("$word"); done < <(
        "$JAVA_HOME/bin/java" -Xmx128m -cp "$SPARK_HOME/jars/*" org.apache.spark.launcher.Main \\
          org.apache.spark.deploy.SparkSubmit "$@")
      # The command starts after an empty word and a new line.
      exec "${command[1]//$'\n'/}" "${command[@]:2}"
      """;

  private final Path directory;

  /** Makes it. */
  SparkHome(Path directory) throws IOException {
    this.directory = directory;
    Path jars = Files.createDirectories(directory.resolve("jars"));
    for (String entry :
        Splitter.on(File.pathSeparatorChar).split(System.getProperty("java.class.path"))) {
      Path jar = Path.of(entry).toAbsolutePath();
      String name = jar.getFileName().toString();
      if (name.endsWith(".jar") && !name.startsWith("lucene-") && !name.startsWith("logback-")) {
        Files.createSymbolicLink(jars.resolve(name), jar);
      }
    }
    Path submit = Files.createDirectories(directory.resolve("bin")).resolve("spark-submit");
    Files.writeString(submit, SUBMIT);
    Files.setPosixFilePermissions(submit, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.writeString(
        Files.createDirectories(directory.resolve("conf")).resolve("log4j2.properties"),
        "rootLogger.level = error\n");
  }

  /** What its programs need in the environment. */
  Map<String, String> environment() {
    Map<String, String> all = new TreeMap<>();
    all.put("SPARK_HOME", directory.toString());
    all.put("SPARK_SCALA_VERSION", "2.13");
    all.put("SPARK_LOCAL_IP", "127.0.0.1");
    all.put("SPARK_LOCAL_DIRS", directory.resolve("local").toString());
    all.put("SPARK_WORKER_DIR", directory.resolve("work").toString());
    return all;
  }

  /** Runs bin/indexer with it. */
  Ended run(Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    Map<String, String> all = environment();
    all.putAll(environment);
    return Launcher.run(all, arguments);
  }

  /** Builds an index, with the least memory. */
  Ended build(
      Map<String, String> environment, String crawl, String output, String master, String... more)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of("build", crawl, "--output", output));
    arguments.addAll(List.of("--cluster", master, "--memory", "256m"));
    arguments.addAll(List.of(more));
    return run(environment, arguments.toArray(String[]::new));
  }
}
