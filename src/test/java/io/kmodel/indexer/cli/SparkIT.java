package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.Thorough;
import io.kmodel.indexer.cli.Launcher.Ended;
import io.kmodel.indexer.cli.base.ExitCode;
import io.kmodel.indexer.indexing.IndexFilesHash;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Builds on Spark as users start them, on executors and drivers that are killed. */
@Timeout(600)
class SparkIT {
  private static final int KILLED = 137;
  private static final String EXECUTORS = "local-cluster[2,1,1024]";

  @TempDir Path directory;
  private SparkHome spark;
  private String output = "";

  @SuppressWarnings("NullAway.Init") // JUnit calls make
  SparkIT() {}

  @BeforeEach
  void make() throws IOException {
    spark = new SparkHome(directory.resolve("spark"));
    output = directory.resolve("made").toString();
  }

  private Ended build(Map<String, String> environment, String master, String... more)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(List.of("--split-size", "64k", "--duplicates", "skip"));
    all.addAll(List.of(more));
    return spark.build(environment, "corpus-samples", output, master, all.toArray(String[]::new));
  }

  private void assertSame() throws IOException, InterruptedException {
    String whole = directory.resolve("whole").toString();
    Ended local =
        Launcher.run("build", "corpus-samples", "--output", whole, "--duplicates", "skip", "-q");
    assertThat(local.exitCode()).as(local.err()).isEqualTo(ExitCode.INCOMPLETE);
    assertThat(IndexFilesHash.of(Path.of(output))).isEqualTo(IndexFilesHash.of(Path.of(whole)));
    assertThat(Path.of(output + ".cluster")).doesNotExist();
  }

  @Test
  void aBuildInTheThreadsOfADriverIsThatOfOneMachine() throws IOException, InterruptedException {
    Ended built = build(Map.of(), "local[2,4]");
    assertThat(built.exitCode()).as(built.err()).isEqualTo(ExitCode.INCOMPLETE);
    assertThat(built.out()).contains("documents", "skipped");
    assertSame();
  }

  @Test
  void shardsOfLuceneAreMadeAndSearched() throws IOException, InterruptedException {
    String shards = directory.resolve("shards").toString();
    Ended built =
        spark.run(
            Map.of(),
            "build",
            "corpus-samples",
            "--export",
            "lucene:" + shards,
            "--shards",
            "2",
            "--cluster",
            "local[2,4]",
            "--split-size",
            "64k",
            "--memory",
            "256m");
    assertThat(built.exitCode()).as(built.err()).isEqualTo(ExitCode.INCOMPLETE);
    Ended found = Launcher.run("search", shards, "heron");
    assertThat(found.exitCode()).as(found.err()).isEqualTo(ExitCode.OK);
    assertThat(found.out()).contains("documents for 'heron'", "  1. ");
    String whole = directory.resolve("whole").toString();
    Launcher.run("build", "corpus-samples", "--output", whole, "-q");
    Ended one = Launcher.run("search", whole, "heron");
    assertThat(ranks(found)).isNotEmpty().isEqualTo(ranks(one));
  }

  private static List<String> ranks(Ended search) {
    return search.out().lines().filter(line -> line.matches(" *\\d+\\. .*")).toList();
  }

  @Test
  void withoutSparkTheLauncherSaysWhereToGetIt() throws IOException, InterruptedException {
    Ended ended =
        Launcher.run(
            Map.of("SPARK_HOME", directory.resolve("nowhere").toString()),
            "build",
            "corpus-samples",
            "--output",
            output,
            "--cluster=local[2]");
    assertThat(ended.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(ended.err()).contains("--cluster needs Apache Spark 4.2", "SPARK_HOME");
  }

  @Test
  @Thorough
  void theExperimentComparesBuilds() throws IOException, InterruptedException {
    Ended ended =
        spark.run(
            Map.of(),
            "experiment",
            "cluster",
            "--corpus",
            "corpus-samples",
            "--executors",
            "1,2",
            "--executor-memory",
            "1024",
            "--work",
            directory.toString());
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(ExitCode.OK);
    assertThat(ended.out().lines().filter(line -> line.endsWith("| yes |"))).hasSize(3);
  }

  /** Each executor ends after a few tasks, whenever it is started. */
  private void executorsEndAt(String step) throws IOException, InterruptedException {
    String options = "--conf spark.executor.extraJavaOptions=-Dindexer.end-at=" + step;
    Ended built =
        build(
            Map.of("INDEXER_SPARK_OPTIONS", options + " --conf spark.task.maxFailures=20"),
            EXECUTORS);
    assertThat(built.exitCode()).as(built.err()).isEqualTo(ExitCode.INCOMPLETE);
    try (Stream<Path> executors =
        Files.find(
            directory.resolve("spark/work"),
            2,
            (path, file) -> path.getFileName().toString().matches("\\d+"))) {
      assertThat(executors).as("executors, the first two of which ended").hasSizeGreaterThan(2);
    }
    assertSame();
  }

  @Test
  @Thorough
  void executorsMayBeKilledWhileSplitsAreInverted() throws IOException, InterruptedException {
    executorsEndAt("SPLIT_INDEXED:2");
  }

  @Test
  @Thorough
  void executorsMayBeKilledWhileRangesAreMerged() throws IOException, InterruptedException {
    executorsEndAt("PART_SEALED:3");
  }

  @Test
  @Thorough
  void aDriverThatIsKilledBetweenTheStagesIsResumed() throws IOException, InterruptedException {
    Ended killed =
        build(Map.of("INDEXER_JAVA_OPTIONS", "-Dindexer.end-at=SPLITS_SEALED"), EXECUTORS);
    assertThat(killed.exitCode()).as(killed.err()).isEqualTo(KILLED);
    Ended refused = build(Map.of(), "local[2,4]");
    assertThat(refused.exitCode()).as(refused.err()).isEqualTo(ExitCode.USAGE);
    assertThat(refused.err()).contains("finished work of an interrupted build");
    Ended resumed = build(Map.of(), EXECUTORS, "--resume");
    assertThat(resumed.exitCode()).as(resumed.err()).isEqualTo(ExitCode.INCOMPLETE);
    assertSame();
  }
}
