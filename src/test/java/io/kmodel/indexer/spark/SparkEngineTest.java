package io.kmodel.indexer.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.equality.SampleDocuments;
import io.kmodel.indexer.indexing.Crawls;
import io.kmodel.indexer.indexing.IndexFilesHash;
import io.kmodel.indexer.indexing.Indexing;
import io.kmodel.indexer.indexing.Target;
import io.kmodel.indexer.indexing.cluster.ClusterBuild;
import io.kmodel.indexer.indexing.cluster.TaskEngine;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.DuplicateIdException;
import io.kmodel.indexer.indexing.options.Duplicates;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.options.Recovery;
import io.kmodel.indexer.indexing.options.Recovery.Start;
import io.kmodel.indexer.indexing.options.Store;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.source.SourceOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Spark's tasks make the index that one machine makes. A process can have one context of Spark. */
@Tag("alone")
class SparkEngineTest {
  private static final Recovery FRESH =
      new Recovery(Start.FRESH, Duration.ofSeconds(30), line -> {});

  @TempDir static Path directory;
  private static final SparkContext CONTEXT = new SparkContext(conf());
  private static final List<Integer> ATTEMPTS = new ArrayList<>();

  private static SparkConf conf() {
    return new SparkConf()
        .setMaster("local[2,4]")
        .setAppName("test")
        .set("spark.ui.enabled", "false")
        .set("spark.local.dir", System.getProperty("java.io.tmpdir"));
  }

  @BeforeAll
  static void write() throws Exception {
    CONTEXT.addSparkListener(
        new SparkListener() {
          @Override
          public void onTaskEnd(SparkListenerTaskEnd task) {
            synchronized (ATTEMPTS) {
              ATTEMPTS.add(task.taskInfo().attemptNumber());
            }
          }
        });
    Path crawl = Files.createDirectory(directory.resolve("crawl"));
    Crawls.write(crawl, SampleDocuments.random(3, 120, 80));
    Files.writeString(crawl.resolve("more.jsonl"), "{\"id\":\"1\",\"contents\":\"a b\"}\n");
    Files.writeString(crawl.resolve("same.jsonl"), "{\"id\":\"1\",\"contents\":\"c\"}\n");
    new Indexing(
            options("whole", Duplicates.SKIP),
            Target.ownIndex(),
            new BuildProgress(),
            new MemoryPlan(1 << 28, 1 << 25, 64 << 20, 64 << 20))
        .run();
  }

  @BeforeEach
  void forgetAttempts() throws Exception {
    CONTEXT.listenerBus().waitUntilEmpty();
    synchronized (ATTEMPTS) {
      ATTEMPTS.clear();
    }
  }

  @AfterAll
  static void stop() {
    CONTEXT.stop();
  }

  private static BuildOptions options(String output, Duplicates duplicates) {
    return new BuildOptions(
            ImmutableList.of(directory.resolve("crawl")),
            directory.resolve(output),
            false,
            HtmlMode.FAST,
            "standard",
            true,
            Store.CONTENTS,
            new BuildOptions.Resources(1, BuildOptions.Resources.MIN_MEMORY_BYTES))
        .withSource(SourceOptions.DEFAULT, duplicates);
  }

  private static void build(String output, Duplicates duplicates, TaskEngine engine)
      throws Exception {
    new ClusterBuild(options(output, duplicates), engine, 10_000, FRESH, new BuildProgress()).run();
  }

  /** The first attempts fail in their tasks: the directory is not there yet. */
  @Test
  void attemptsThatFailAreRepeatedAndTheIndexIsThatOfOneMachine() throws Exception {
    Path splits = directory.resolve("made.cluster/splits");
    TaskEngine spark = new SparkEngine(CONTEXT);
    TaskEngine late =
        new TaskEngine() {
          @Override
          public int slots() {
            return spark.slots();
          }

          @Override
          public Path scratch() {
            return spark.scratch();
          }

          @Override
          public void run(String stage, List<String> tasks, Results results)
              throws IOException, InterruptedException {
            Path away = splits.resolveSibling("away");
            boolean isInverting = stage.equals("invert") && Files.isDirectory(splits);
            Thread back = new Thread(() -> comeBack(away, splits));
            if (isInverting) {
              Files.move(splits, away);
              back.start();
            }
            spark.run(stage, tasks, results);
            back.join();
          }
        };
    build("made", Duplicates.SKIP, late);
    assertThat(IndexFilesHash.of(directory.resolve("made")))
        .isEqualTo(IndexFilesHash.of(directory.resolve("whole")));
    CONTEXT.listenerBus().waitUntilEmpty();
    synchronized (ATTEMPTS) {
      assertThat(ATTEMPTS).contains(0, 1);
    }
  }

  private static void comeBack(Path away, Path splits) {
    try {
      while (ended() < 1) {
        Thread.sleep(1);
      }
      Files.move(away, splits);
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static int ended() {
    synchronized (ATTEMPTS) {
      return ATTEMPTS.size();
    }
  }

  /** The comparison can fail. */
  @Test
  void otherDuplicatesGiveAnotherIndex() throws Exception {
    build("other", Duplicates.KEEP, new SparkEngine(CONTEXT));
    assertThat(IndexFilesHash.of(directory.resolve("other")))
        .isNotEqualTo(IndexFilesHash.of(directory.resolve("whole")));
  }

  @Test
  void failuresThatARetryWouldRepeatEndTheBuildAtOnce() {
    assertThatThrownBy(() -> build("error", Duplicates.ERROR, new SparkEngine(CONTEXT)))
        .isInstanceOf(DuplicateIdException.class)
        .hasMessageContaining("has the id of an earlier one");
    assertThat(directory.resolve("error")).doesNotExist();
  }

  @Test
  void aTaskThatFailsTooOftenSaysWhy() throws IOException {
    String missing = directory.resolve("nowhere").toString();
    String task =
        "merge {\"number\":0,\"splits\":\"splits.json\",\"from\":null,\"to\":null,\"workspace\":\"%s\"}"
            .formatted(missing);
    assertThatThrownBy(() -> new SparkEngine(CONTEXT).run("merge", List.of(task), result -> {}))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("the stage 'merge' failed: ")
        .hasMessageContaining("NotDirectoryException: " + missing)
        .hasMessageNotContaining("\n");
    try (Stream<Path> made = Files.list(directory)) {
      assertThat(made).noneMatch(path -> path.endsWith("nowhere"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "local, , , 1",
    "local[3], , , 3",
    "'local[2,4]', , , 2",
    "local[*], , , 0",
    "'local-cluster[2,3,1024]', , , 3",
    "spark://host:7077, , , 0",
    "spark://host:7077, 8, , 8",
    "yarn, 8, 2, 4",
    "yarn, 1, 2, 1"
  })
  void tasksShareTheMemoryOfAnExecutor(String master, String cores, String cpus, int expected) {
    SparkConf conf = new SparkConf(false).setMaster(master);
    if (cores != null) {
      conf.set("spark.executor.cores", cores);
    }
    if (cpus != null) {
      conf.set("spark.task.cpus", cpus);
    }
    assertThat(SparkEngine.tasksPerProcess(conf)).isEqualTo(expected);
  }

  @Test
  void theNumberOfTasksAtATimeFollowsFromSettings() {
    assertThat(new SparkEngine(CONTEXT).slots()).isEqualTo(2);
    SparkConf conf = new SparkConf(false).setMaster("local-cluster[3,2,1024]");
    assertThat(SparkEngine.cores(conf)).isEqualTo(6);
    conf.setMaster("yarn").set("spark.executor.instances", "10").set("spark.executor.cores", "4");
    assertThat(SparkEngine.cores(conf)).isEqualTo(40);
    conf.set("spark.cores.max", "24");
    assertThat(SparkEngine.cores(conf)).isEqualTo(24);
    assertThat(SparkEngine.cores(new SparkConf(false).setMaster("spark://a:7077"))).isZero();
  }
}
