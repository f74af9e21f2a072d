package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.Thorough;
import io.kmodel.indexer.cli.Launcher.Ended;
import io.kmodel.indexer.cli.base.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What commands of the installed program refuse, warn of and count. */
class CommandsIT {
  private static final String TREC = "corpus-samples/trec/docs";

  private static final String TOPICS = "corpus-samples/trec/topics.txt";

  @TempDir Path directory;

  @Test
  void wrongUsageIsExplainedOnOneLineWithExitCodeTwo() throws IOException, InterruptedException {
    Ended missing = Launcher.run("build", "corpus-samples/site");
    assertThat(missing.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(missing.err()).contains("--output").doesNotContain("Exception");

    Ended absent = Launcher.run("build", "no-such-crawl", "-o", directory.resolve("i").toString());
    assertThat(absent.exitCode()).isIn(ExitCode.USAGE, ExitCode.FAILED);
    assertThat(absent.err())
        .isEqualTo("indexer: no-such-crawl: no such directory or file" + System.lineSeparator());
  }

  @Test
  void aRunOfAnIndexWithoutIdsIsRefused() throws IOException, InterruptedException {
    String index = directory.resolve("index").toString();
    Path run = directory.resolve("bm25.run");
    Ended build = Launcher.run("build", TREC, "-o", index, "--store", "none", "--quiet");
    assertThat(build.exitCode()).as(build.err()).isEqualTo(ExitCode.OK);
    Ended search = Launcher.run("search", index, "--topics", TOPICS, "--run", run.toString());
    assertThat(search.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(search.err()).contains("does not store ids", "--store=id").doesNotContain("\tat ");
    assertThat(run).doesNotExist();
  }

  @Test
  void aRunWithIdsThatATopicHasTwiceIsWarnedOf() throws IOException, InterruptedException {
    String index = directory.resolve("index").toString();
    Path run = directory.resolve("bm25.run");
    Ended build = Launcher.run("build", TREC, TREC, "-o", index, "--store", "id", "--quiet");
    assertThat(build.exitCode()).as(build.err()).isEqualTo(ExitCode.OK);
    Ended search = Launcher.run("search", index, "--topics", TOPICS, "--run", run.toString());
    assertThat(search.exitCode()).as(search.err()).isEqualTo(ExitCode.OK);
    assertThat(search.err()).contains("indexer: warning: ", "repeat an id within a topic");
    assertThat(run).isNotEmptyFile();
  }

  @Test
  @Thorough
  void aRaceTellsWhatItMeasuredAndSkipped() throws IOException, InterruptedException {
    Ended race =
        Launcher.run(
            "experiment",
            "build",
            "--corpus",
            "corpus-samples/site",
            "--work",
            directory.resolve("race").toString(),
            "--rounds",
            "1",
            "--memory",
            "512m",
            "--ram-buffer",
            "64");
    assertThat(race.exitCode()).as(race.err()).isEqualTo(ExitCode.OK);
    assertThat(race.out())
        .contains("warm-up indexer", "round 1 lucene", "skipped by each: {binary content=1}")
        .containsPattern("each starts with(out a| the program's) start cache");
  }

  @Test
  void aRaceOfSortersHasTheVectorsAndWritesItsFigures() throws IOException, InterruptedException {
    Path json = directory.resolve("sorting.json");
    Ended race =
        Launcher.run(
            Map.of("INDEXER_JAVA_OPTIONS", ""), // vectors are slow without the optimizing compiler
            "experiment",
            "sorters",
            "--keys=2^16,1k",
            "--bits=22",
            "--distribution=zipf,all_equal",
            "--rounds=1",
            "--warm-up=0",
            "--json=" + json);
    assertThat(race.exitCode()).as(race.err()).isEqualTo(ExitCode.OK);
    assertThat(race.out())
        .contains("65,536 zipf keys of 22 bits", "1,024 all_equal keys of 22 bits", "simd-merge")
        .doesNotContain("without");
    assertThat(json).content().contains("\"sorter\" : \"simd-merge\"", "\"keys\" : 65536");
  }

  @Test
  void numbersOfKeysThatAreNoneAreRefused() throws IOException, InterruptedException {
    Ended race = Launcher.run("experiment", "sorters", "--keys", "many");
    assertThat(race.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(race.err())
        .contains("'many' is not a number of keys; write it like 2^24, 16m or 100000");
  }

  @Test
  void extractionCountsWhatItLeavesOut() throws IOException, InterruptedException {
    Path text = directory.resolve("text");
    Ended extract =
        Launcher.run(
            "experiment",
            "extract",
            "--corpus",
            "corpus-samples/site",
            "--output",
            text.toString());
    assertThat(extract.exitCode()).as(extract.err()).isEqualTo(ExitCode.INCOMPLETE);
    assertThat(extract.out()).contains("124 documents", "skipped: 1 binary content");
  }
}
