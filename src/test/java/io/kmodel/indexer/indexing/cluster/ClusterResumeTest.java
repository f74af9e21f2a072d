package io.kmodel.indexer.indexing.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.hash.Hashing;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.Duplicates;
import io.kmodel.indexer.indexing.options.Recovery.Start;
import io.kmodel.indexer.indexing.report.BuildReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Builds on a cluster that are stopped, continued, damaged, or overtaken by changes. */
class ClusterResumeTest extends ClusterBuilds {
  private List<Path> splits(String output) throws IOException {
    try (Stream<Path> all = Files.list(directory.resolve(output + ".cluster/splits"))) {
      return all.sorted().toList();
    }
  }

  private TaskEngine stoppedAt(String stage, Consumer<List<String>> before) {
    return new ChangingEngine(
        stage,
        tasks -> {
          before.accept(tasks);
          throw new IllegalStateException("the cluster is gone");
        });
  }

  private void interrupt(Duplicates duplicates, Consumer<List<String>> before) {
    assertThatThrownBy(
            () -> cluster(options("made", duplicates), stoppedAt("merge", before), Start.FRESH))
        .hasMessage("the cluster is gone");
    assertThat(messages).singleElement().asString().contains("--resume continues from there");
    messages.clear();
  }

  private void resume(Duplicates duplicates, int expectedTasks) throws Exception {
    List<String> inverted = new ArrayList<>();
    TaskEngine engine = new ChangingEngine("invert", inverted::addAll);
    cluster(options("made", duplicates), engine, Start.RESUME);
    assertThat(inverted).hasSize(expectedTasks);
    local(options("whole", duplicates));
    assertSame("made", "whole");
  }

  @Test
  void aDriverThatWasStoppedBetweenTheStagesGoesOnWithoutInvertingAgain() throws Exception {
    interrupt(Duplicates.SKIP, tasks -> {});
    assertThatThrownBy(
            () ->
                cluster(
                    options("made", Duplicates.SKIP), new ThreadEngine(1, NO_SCRATCH), Start.FRESH))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("finished work of an interrupted build");
    resume(Duplicates.SKIP, 0);
  }

  @Test
  void aBuildThatFinishedNoSplitLeavesNothing() throws Exception {
    TaskEngine gone = stoppedAt("invert", tasks -> {});
    assertThatThrownBy(() -> cluster(options("made", Duplicates.SKIP), gone, Start.FRESH))
        .hasMessage("the cluster is gone");
    assertThat(messages).isEmpty();
    assertThat(directory.resolve("made.cluster")).doesNotExist();
    // As if the driver had been killed then.
    Path work = Files.createDirectories(directory.resolve("made.cluster"));
    Files.writeString(work.resolve("lock"), "process 1, which was killed");
    Files.writeString(work.resolve("plan.json"), "{\"options\":{},\"splitBytes\":1}");
    cluster(options("made", Duplicates.KEEP), new ThreadEngine(1, NO_SCRATCH), Start.FRESH);
    local(options("whole", Duplicates.KEEP));
    assertSame("made", "whole");
  }

  @Test
  void anotherCommandDeletesNothing() throws Exception {
    interrupt(Duplicates.KEEP, tasks -> {});
    Path left = Files.createDirectory(directory.resolve("made.cluster/splits/000001-left"));
    assertThatThrownBy(
            () ->
                prepared(
                        options("made", Duplicates.SKIP),
                        new ThreadEngine(1, NO_SCRATCH),
                        Start.RESUME,
                        0)
                    .withoutOrphans(Duration.ZERO)
                    .run())
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("duplicates");
    assertThat(left).exists();
    assertThat(messages).isEmpty();
  }

  @Test
  void damagedSplitsAreInvertedAgainAndPartsOfResultsPassedOver() throws Exception {
    interrupt(Duplicates.KEEP, tasks -> {});
    Path damaged = splits("made").get(1).resolve("postings.docs");
    byte[] bytes = Files.readAllBytes(damaged);
    bytes[bytes.length / 2] ^= 1;
    Files.write(damaged, bytes);
    Path part = directory.resolve("made.cluster/sealed/000002.part");
    Files.writeString(part, "split {\"number\":2,");
    resume(Duplicates.KEEP, 1);
    assertThat(messages).singleElement().asString().contains("is damaged and will be made again");
  }

  @Test
  void aSplitThatWasDamagedBetweenTheStagesIsAnErrorAndItsMergeCanBeResumed() throws Exception {
    TaskEngine engine =
        new ChangingEngine(
            "merge",
            tasks -> {
              try {
                Path docs = splits("made").get(1).resolve("postings.docs");
                Files.write(docs, new byte[10]);
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
    assertThatThrownBy(() -> cluster(options("made", Duplicates.KEEP), engine, Start.FRESH))
        .hasMessageContaining("postings.docs")
        .hasMessageContaining("--resume makes it again");
    assertThat(directory.resolve("made")).doesNotExist();
    resume(Duplicates.KEEP, 1);
  }

  @Test
  void whatFailedTasksLeftBehindIsDeletedByAge() throws Exception {
    interrupt(Duplicates.KEEP, tasks -> {});
    List<Path> kept = splits("made");
    Path place = directory.resolve("made.cluster/splits");
    Path old = Files.createDirectory(place.resolve("000001-old"));
    Files.writeString(old.resolve("postings.docs"), "half of it");
    Path recent = Files.createDirectory(place.resolve("000001-recent"));
    Path recentFile = Files.writeString(recent.resolve("postings.docs"), "half of it");
    FileTime yesterday = FileTime.from(Instant.now().minus(Duration.ofDays(1)));
    try (Stream<Path> all = Files.walk(place)) {
      for (Path path : (Iterable<Path>) all::iterator) {
        if (!path.equals(recentFile)) {
          Files.setLastModifiedTime(path, yesterday);
        }
      }
    }
    assertThatThrownBy(
            () ->
                prepared(
                        options("made", Duplicates.KEEP),
                        stoppedAt("merge", tasks -> {}),
                        Start.RESUME,
                        0)
                    .withoutOrphans(Duration.ofHours(2))
                    .run())
        .hasMessage("the cluster is gone");
    assertThat(messages).contains("deleted 1 abandoned split");
    assertThat(recentFile).exists();
    assertThat(splits("made")).containsAll(kept).contains(recent).doesNotContain(old);
    resume(Duplicates.KEEP, 0);
  }

  /** A driver that was killed after the index had got its name. */
  @Test
  void aBuildThatOnlyHadToCleanUpIsComplete() throws Exception {
    BuildReport made =
        cluster(options("made", Duplicates.KEEP), new ThreadEngine(1, NO_SCRATCH), Start.FRESH);
    Path work = Files.createDirectories(directory.resolve("made.cluster"));
    String mark =
        Hashing.sha256()
            .hashBytes(Files.readAllBytes(directory.resolve("made/index.json")))
            .toString();
    Files.writeString(work.resolve("lock"), "process 1, which was killed");
    Files.writeString(work.resolve("complete"), mark);
    Files.writeString(work.resolve("plan.json"), "{\"options\":{},\"splitBytes\":1}");
    TaskEngine none = stoppedAt("invert", tasks -> {});
    assertThat(cluster(options("made", Duplicates.KEEP), none, Start.RESUME)).isEqualTo(made);
    assertThat(work).doesNotExist();
    assertThat(messages).singleElement().asString().endsWith("made was already complete");
    Files.createDirectories(work);
    Files.writeString(work.resolve("complete"), mark.replace('a', 'b'));
    Files.writeString(work.resolve("plan.json"), "{\"options\":{},\"splitBytes\":1}");
    assertThatThrownBy(() -> cluster(options("made", Duplicates.KEEP), none, Start.RESUME))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("made exists already");
  }

  @Test
  void aCompleteIndexIsCheckedAndLeftAlone() throws Exception {
    cluster(options("made", Duplicates.KEEP), new ThreadEngine(1, NO_SCRATCH), Start.FRESH);
    TaskEngine none = stoppedAt("invert", tasks -> {});
    BuildReport checked = cluster(options("made", Duplicates.KEEP), none, Start.RESUME);
    assertThat(checked).isEqualTo(BuildReport.read(directory.resolve("made")));
    assertThat(messages).singleElement().asString().endsWith("made was already complete");
    assertThatThrownBy(() -> cluster(options("made", Duplicates.SKIP), none, Start.RESUME))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("duplicates");
  }

  @Test
  void otherOptionsAndOtherInputAreRefused() throws Exception {
    interrupt(Duplicates.KEEP, tasks -> {});
    assertThatThrownBy(
            () ->
                cluster(
                    options("made", Duplicates.SKIP),
                    new ThreadEngine(1, NO_SCRATCH),
                    Start.RESUME))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("duplicates");
    assertThatThrownBy(
            () ->
                cluster(
                    options("made", Duplicates.KEEP),
                    new ThreadEngine(1, NO_SCRATCH),
                    Start.RESUME,
                    7777))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("--split-size 20000");
    Files.writeString(roots.getFirst().resolve("lines-1.jsonl"), "{\"id\":\"new\"}\n");
    assertThatThrownBy(
            () ->
                cluster(
                    options("made", Duplicates.KEEP),
                    new ThreadEngine(1, NO_SCRATCH),
                    Start.RESUME))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("lines-1.jsonl");
    cluster(options("made", Duplicates.KEEP), new ThreadEngine(1, NO_SCRATCH), Start.RESTART);
    local(options("whole", Duplicates.KEEP));
    assertSame("made", "whole");
  }

  @Test
  void inputThatChangesDuringTheBuildIsAnError() throws IOException {
    Path lines = roots.getFirst().resolve("lines-1.jsonl");
    TaskEngine engine =
        new ChangingEngine(
            "invert",
            tasks -> {
              try {
                Files.setLastModifiedTime(lines, FileTime.fromMillis(12345));
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
    assertThatThrownBy(() -> cluster(options("made", Duplicates.KEEP), engine, Start.FRESH))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("changed during the build")
        .hasMessageContaining("lines-1.jsonl");
  }

  @Test
  void tasksOfABuildThatHasEndedWriteNothing() throws Exception {
    List<String> late = new ArrayList<>();
    TaskEngine engine = new ChangingEngine("merge", late::addAll);
    cluster(options("made", Duplicates.KEEP), engine, Start.FRESH);
    assertThat(late).isNotEmpty();
    for (String task : late) {
      assertThatThrownBy(() -> Tasks.run(task, 1, NO_SCRATCH)).isInstanceOf(IOException.class);
    }
    assertThat(directory.resolve("made.cluster")).doesNotExist();
  }
}
