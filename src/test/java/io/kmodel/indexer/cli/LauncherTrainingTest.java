package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.cli.Launcher.Ended;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** bin/indexer alone: what Java learns of a new program, and which calls begin with it. */
class LauncherTrainingTest extends LauncherProject {
  @Test
  void aNewProgramIsTrainedOnceAndCallsBeginWithWhatWasLearned() throws Exception {
    Files.createDirectory(project.resolve("corpus-samples"));
    environment.put("INDEXER_BUILD_MEMORY", "9g");
    for (int call = 0; call < 2; call++) {
      Ended ended = run("build");
      assertThat(ended.out()).doesNotContain("written").endsWith("build\nruns: first\n");
      assertThat(ended.out().lines())
          .contains(
              "-XX:AOTCache=" + programs().getFirst().resolve("indexer.aot"),
              "-Xlog:aot*=off,cds*=off:stderr");
    }
    List<String> trainings = Files.readAllLines(project.resolve("training.log"));
    assertThat(trainings).hasSize(1);
    assertThat(trainings.getFirst())
        .as("nobody's settings")
        .startsWith(" -XX:+UseParallelGC ")
        .contains("build " + project.resolve("corpus-samples") + " ", "--memory 640m");
    assertThat(project.resolve("target")).isDirectoryNotContaining("glob:**making-*");
  }

  @Test
  void whatWasLearnedIsNotUsedByAnotherJdkNorWithAnotherArchive() throws Exception {
    Files.createDirectory(project.resolve("corpus-samples"));
    assertThat(run("stats").out()).contains("-XX:AOTCache=");
    environment.put("INDEXER_JAVA_OPTIONS", "-Xshare:auto");
    assertThat(run("stats").out()).contains("-Xshare:auto").doesNotContain("AOTCache");
    environment.remove("INDEXER_JAVA_OPTIONS");
    environment.put("INDEXER_JAVA_HOME", jdk("another jdk", "25.0.4").toString());
    assertThat(run("stats").out()).doesNotContain("AOTCache").endsWith("runs: first\n");
  }

  /** Java ends there, or takes classes for those of another jar. */
  @Test
  void whatWasLearnedIsNotUsedWhereTheProgramWasMovedTo() throws Exception {
    Files.createDirectory(project.resolve("corpus-samples"));
    assertThat(run("stats").out()).contains("-XX:AOTCache=");
    environment.put("INDEXER_PROGRAM", programs().getFirst().toString());
    assertThat(run("stats").out()).contains("-XX:AOTCache=");
    Path moved = Files.move(programs().getFirst(), directory.resolve("moved"));
    environment.put("INDEXER_PROGRAM", moved.toString());
    assertThat(run("stats").out()).doesNotContain("AOTCache").endsWith("runs: first\n");
    Files.delete(moved.resolve("indexer.jar"));
    Ended gone = run("stats");
    assertThat(gone.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(gone.err()).contains("no indexer.jar in " + moved);
  }

  @Test
  void aProgramThatCannotBeTrainedRunsAsItIs() throws Exception {
    Files.createDirectory(project.resolve("corpus-samples"));
    environment.put("TEST_TRAINING_FAILS", "yes");
    Ended ended = run("stats");
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(0);
    assertThat(ended.out()).doesNotContain("AOT").endsWith("runs: first\n");
  }

  @Test
  void whatWasLearnedWithoutVectorsIsNotForThoseWhoAskForThem() throws Exception {
    Files.createDirectory(project.resolve("corpus-samples"));
    assertThat(run("experiment", "sorters").out()).doesNotContain("AOT").contains("vector");
    assertThat(run("experiment", "build").out()).contains("-XX:AOTCache=");
  }
}
