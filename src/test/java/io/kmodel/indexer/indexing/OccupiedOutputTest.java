package io.kmodel.indexer.indexing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.faults.Faults.Kind;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.PostingsConsumer;
import io.kmodel.indexer.index.model.PostingsCopier;
import io.kmodel.indexer.indexing.journal.WorkDirectory;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.Recovery;
import io.kmodel.indexer.indexing.options.Recovery.Start;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildProgress.Stage;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a build finds in its place: finished work, the lock of another, an index that is read. */
@Timeout(120)
class OccupiedOutputTest extends InterruptedBuild {
  @Test
  void withoutAWordFinishedWorkIsNeitherDroppedNorGoneOnWith() throws Exception {
    interruptParsing();
    assertThatThrownBy(() -> build(output, Start.FRESH))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("--resume")
        .hasMessageContaining("--restart")
        .hasMessageContaining(
            "index.building has finished work (parts of the input: " + sealedSplits() + ")");
    // As imports do, which have neither option.
    assertThatThrownBy(() -> WorkDirectory.create(output, null))
        .isInstanceOf(BuildException.class)
        .hasMessageEndingWith(
            "continue with build --resume, delete it with build --restart, or name another output");
    assertThat(sealedSplits()).isPositive();
    build(output, Start.RESTART);
    assertThat(notices).noneMatch(line -> line.startsWith("resuming"));
    assertThat(work()).doesNotExist();
  }

  @Test
  void whoLooksBeforeABuildIsToldOfFinishedWorkAsTheBuildIs() throws Exception {
    interruptParsing();
    int sealed = sealedSplits();
    BuildOptions same = options(crawl, output, 2);
    assertThatThrownBy(() -> look(same, Start.FRESH))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining(
            "index.building has finished work (parts of the input: " + sealed + ")");
    look(same, Start.RESUME);
    look(same, Start.RESTART);
    BuildOptions other = options(directory, output, 2);
    assertThatThrownBy(() -> look(other, Start.RESUME))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("path 1: %s (was %s)".formatted(directory, crawl));
    look(other, Start.RESTART);
    assertThat(sealedSplits()).isEqualTo(sealed).isPositive();
    resume();
    assertThatThrownBy(() -> look(same, Start.FRESH))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("exists already");
    assertThat(work()).doesNotExist();
  }

  private static void look(BuildOptions options, Start start) throws Exception {
    new Indexing(options, Target.ownIndex(), new BuildProgress(), plan())
        .withRecovery(new Recovery(start, Recovery.SEAL_EVERY, line -> {}))
        .requireOutput();
  }

  @Test
  void theSecondBuildIsToldWhoIsAtWork() throws Exception {
    try (WorkDirectory first = WorkDirectory.create(output, null)) {
      assertThatThrownBy(() -> build(output, Start.FRESH))
          .isInstanceOf(BuildException.class)
          .hasMessageContaining("another build is at work on")
          .hasMessageContaining("process %d on ".formatted(ProcessHandle.current().pid()));
      assertThat(first.runs()).isDirectory();
    }
    assertThat(work()).doesNotExist();
  }

  @Test
  void aLockThatADeadProcessHasLeftLocksNobodyOut() throws Exception {
    Files.createDirectory(work());
    Files.writeString(work().resolve("lock"), "process 1 on a machine, since long ago\n");
    assertThat(build(output, Start.FRESH).documents()).isEqualTo(DOCUMENTS);
  }

  @Test
  void whatNoBuildHasMadeIsLeftAsItIs() throws Exception {
    Path photo = Files.createDirectory(work()).resolve("photo.jpg");
    Files.writeString(photo, "a photo");
    for (Path input : List.of(crawl, directory.resolve("missing"))) {
      for (Start start : Start.values()) {
        assertThatThrownBy(() -> build(options(input, output, 2), new BuildProgress(), start))
            .isInstanceOf(BuildException.class)
            .hasMessageContaining(
                work() + ": cannot be used as a work directory, since it contains photo.jpg");
      }
    }
    assertThat(photo).hasContent("a photo");
    Files.move(photo, directory.resolve("photo.jpg"));
    assertThat(build(output, Start.FRESH).documents()).isEqualTo(DOCUMENTS);
    assertThat(work()).doesNotExist();
  }

  @Test
  void whatABuildWouldDeleteIsNoInput() throws Exception {
    Path root = Files.createDirectory(work());
    Path link = Files.createSymbolicLink(directory.resolve("link"), root);
    for (Path input : List.of(root, link)) {
      assertThatThrownBy(() -> build(options(input, output, 2), new BuildProgress(), Start.FRESH))
          .isInstanceOf(BuildException.class)
          .hasMessageContaining(input + " cannot be input of a build of " + output);
    }
    assertThat(root).isDirectory();
    interruptParsing();
    Path runs = root.resolve("runs");
    assertThatThrownBy(() -> build(options(runs, output, 2), new BuildProgress(), Start.RESTART))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("cannot be input");
    resume();
    assertThat(output).isDirectory();
  }

  @Test
  void anIndexIsNotReplacedByOneOfItsOwnFiles() throws Exception {
    build(output, Start.FRESH);
    Path link = Files.createSymbolicLink(directory.resolve("link"), output);
    for (Path input : List.of(output, output.resolve("report.html"), link)) {
      Indexing build =
          new Indexing(
              options(input, output, 2, true), Target.ownIndex(), new BuildProgress(), plan());
      assertThatThrownBy(build::run)
          .isInstanceOf(BuildException.class)
          .hasMessage(
              "%s cannot be input of a build of %s, which takes its place; choose another output"
                  .formatted(input, output));
    }
    assertThat(work()).doesNotExist();
  }

  @Test
  void anOutputThatIsALinkIsMadeWhereItLeadsTo() throws Exception {
    Path disk = Files.createDirectories(directory.resolve("disk/place"));
    Files.createSymbolicLink(output, Path.of("disk/place"));
    assertThat(build(output, Start.FRESH).documents()).isEqualTo(DOCUMENTS);
    assertThat(output).isSymbolicLink();
    assertThat(Target.ownIndex().isIndex(disk)).isTrue();
    new Indexing(options(crawl, output, 2, true), Target.ownIndex(), new BuildProgress(), plan())
        .run();
    assertThat(output).isSymbolicLink();
    try (InvertedIndex index = InvertedIndex.open(output)) {
      assertThat(index.documentCount()).isEqualTo(DOCUMENTS);
    }
    assertThat(disk.resolveSibling("place.building")).doesNotExist();
    assertThat(work()).doesNotExist();
  }

  @Test
  void anOutputThatIsALinkToNothingIsRefusedBeforeAnythingIsRead() throws Exception {
    Files.createSymbolicLink(output, Path.of("nowhere"));
    BuildProgress progress = new BuildProgress();
    assertThatThrownBy(() -> build(options(crawl, output, 2), progress, Start.FRESH))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining(output + " is a link to nowhere, which is not there");
    assertThat(progress.documents()).isZero();
    assertThat(output).isSymbolicLink();
    assertThat(work()).doesNotExist();
  }

  @Test
  void theRootOfAFileSystemIsNoOutput() {
    assertThatThrownBy(() -> build(Path.of("/"), Start.FRESH))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("an index cannot take the place of /");
  }

  @Test
  void anEmptyOutputThatCannotBeMovedIsRefusedBeforeAnythingIsRead() throws Exception {
    Files.createDirectory(output);
    BuildProgress progress = new BuildProgress();
    faults.fail(Kind.RENAME, 1);
    BuildOptions options = options(crawl, system.through(output), 2);
    assertThatThrownBy(() -> build(options, progress, Start.FRESH))
        .isInstanceOf(BuildException.class)
        .hasMessage(output + ": is a mount point, or cannot be moved; name a directory inside it");
    faults.stop();
    assertThat(progress.documents()).isZero();
    assertThat(output).isEmptyDirectory();
    try (Stream<Path> entries = Files.list(directory)) {
      assertThat(entries).containsExactlyInAnyOrder(crawl, output);
    }
    build(output, Start.FRESH);
    assertThat(Target.ownIndex().isIndex(output)).isTrue();
  }

  /** Both a build of which nothing was sealed before, and one that has sealed all it can. */
  @ParameterizedTest
  @ValueSource(ints = {0, 3600})
  void whatComesToLieInThePlaceOfTheIndexCostsNothingThatWasFinished(int sealEvery)
      throws Exception {
    Recovery recovery = new Recovery(Start.FRESH, Duration.ofSeconds(sealEvery), notices::add);
    ThrowingRunnable note = () -> Files.writeString(output, "a note");
    BuildProgress progress = sealEvery == 0 ? sealedAt(Stage.MERGE, note) : at(Stage.MERGE, note);
    assertThatThrownBy(
            () ->
                new Indexing(options(crawl, output, 2), Target.ownIndex(), progress, plan())
                    .withRecovery(recovery)
                    .run())
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining(output + ": appeared while the index was built");
    assertThat(output).hasContent("a note");
    assertThat(notices)
        .anyMatch(line -> line.startsWith("the index is complete in " + work().resolve("index")));
    if (sealEvery > 0) {
      // What the index was merged of is not forced to the disk for nothing.
      assertThat(sealedSplits()).isZero();
    }
    assertThatThrownBy(this::resume)
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("exists already");
    Files.delete(output);
    assertThatThrownBy(() -> build(output, Start.FRESH))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining(
            sealEvery > 0
                ? "has the index of an interrupted build; continue with build --resume, delete"
                    + " it"
                : ") of an interrupted build");
    resume();
    assertThat(notices).contains(output + " was already complete");
    assertThat(output.resolve("temporary")).doesNotExist();
    try (InvertedIndex index = InvertedIndex.open(output)) {
      assertThat(index.documentCount()).isEqualTo(DOCUMENTS);
    }
    assertThat(work()).doesNotExist();
  }

  /** As Lucene's where it cannot hold an index, or a fault of the program's own. */
  @Test
  void anArgumentThatIsRefusedLateCostsNothingThatWasFinished() throws Exception {
    BuildProgress progress =
        at(
            Stage.MERGE,
            () -> {
              throw new IllegalArgumentException("refused late");
            });
    assertThatThrownBy(() -> build(options(crawl, output, 2), progress, Start.FRESH))
        .hasMessage("refused late");
    assertThat(sealedSplits()).isPositive();
    assertThat(notices).anyMatch(line -> line.contains("finished work (parts"));
    assertThat(resume().documents()).isEqualTo(DOCUMENTS);
  }

  @Test
  void aDeviceThatIsNotThereIsTheUsersMatterAndLeavesNothing() {
    assertThatThrownBy(
            () ->
                new Indexing(
                        options(crawl, output, 2), Target.ownIndex(), new BuildProgress(), plan())
                    .withSorting(
                        () -> {
                          throw new IllegalArgumentException("no such device");
                        })
                    .run())
        .isInstanceOf(BuildException.class)
        .hasMessage("no such device");
    assertThat(work()).doesNotExist();
    assertThat(output).doesNotExist();
  }

  @Test
  void whoReadsAnIndexIsNotDisturbedByItsReplacement() throws Exception {
    build(output, Start.FRESH);
    try (InvertedIndex index = InvertedIndex.open(output)) {
      long postings = new PostingsCopier().copy(index.cursor(), new Ignoring());
      try (Stream<Path> pages = Files.list(crawl.resolve("part-00"))) {
        for (Path page : pages.toList()) {
          Files.delete(page);
        }
      }
      new Indexing(options(crawl, output, 2, true), Target.ownIndex(), new BuildProgress(), plan())
          .run();
      assertThat(new PostingsCopier().copy(index.cursor(), new Ignoring())).isEqualTo(postings);
      assertThat(index.documents().text(0, 0)).isNotEmpty();
      try (InvertedIndex replaced = InvertedIndex.open(output)) {
        assertThat(replaced.documentCount()).isLessThan(index.documentCount());
      }
    }
  }

  private static final class Ignoring implements PostingsConsumer {
    @Override
    public void startTerm(byte[] term, int length) {}

    @Override
    public void docs(int[] docs, int[] freqs, int count) {}

    @Override
    public void positions(int[] deltas, int count) {}

    @Override
    public void finishTerm() {}
  }
}
