package io.kmodel.indexer.indexing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.MoreCollectors;
import io.kmodel.indexer.export.lucene.IndexCheck;
import io.kmodel.indexer.index.InvertedIndexWriter;
import io.kmodel.indexer.indexing.journal.CrashPoint;
import io.kmodel.indexer.indexing.journal.RecoveredState;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.Recovery;
import io.kmodel.indexer.indexing.options.Recovery.Start;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildProgress.Stage;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.store.disk.Directories;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Builds that end between the last range of the merge and the index's place. */
@Timeout(120)
class ResumeFinishedTest extends InterruptedBuild {
  /** As where the process is killed at {@link CrashPoint#ASSEMBLED}. */
  @Test
  void whatIsPutTogetherWhenNobodyHasNotedItYetIsNotMergedAgain() throws Exception {
    build(directory.resolve("undisturbed"), Start.FRESH);
    BuildProgress progress =
        sealedAt(
            Stage.FINISH,
            () -> {
              throw new IllegalStateException("the end");
            });
    assertThatThrownBy(() -> build(options(crawl, output, 2), progress, Start.FRESH))
        .hasMessage("the end");
    assertThat(saved().index()).isNotNull();
    assertThat(RecoveredState.read(journal()).form()).isNull();
    notices.clear();
    resume();
    assertThat(notices)
        .anyMatch(line -> line.startsWith("resuming with"))
        .noneMatch(line -> line.contains("merged again"));
    assertThat(IndexFilesHash.of(output))
        .isEqualTo(IndexFilesHash.of(directory.resolve("undisturbed")));
    assertThat(output.resolve("temporary")).doesNotExist();
  }

  /** Both where splits were sealed before, and where nothing was. */
  @ParameterizedTest
  @ValueSource(ints = {0, 3600})
  void aLuceneIndexThatWasCompleteIsMovedToItsPlaceOrMergedInAnotherForm(int sealEvery)
      throws Exception {
    for (int segments : new int[] {1, 2}) {
      ThrowingRunnable note = () -> Files.writeString(output, "a note");
      BuildProgress progress =
          sealEvery == 0 ? sealedAt(Stage.FINISH, note) : at(Stage.FINISH, note);
      Recovery fresh = new Recovery(Start.FRESH, Duration.ofSeconds(sealEvery), notices::add);
      assertThatThrownBy(() -> lucene(1, progress, fresh))
          .isInstanceOf(FileAlreadyExistsException.class);
      Files.delete(output);
      notices.clear();
      assertThat(lucene(segments, new BuildProgress(), recovery(Start.RESUME)).documents())
          .isEqualTo(DOCUMENTS);
      String complete = output + " was already complete";
      assertThat(notices.contains(complete)).isEqualTo(segments == 1);
      assertThat(Target.isLuceneIndex(output)).isTrue();
      assertThat(work()).doesNotExist();
      Directories.deleteTree(output);
    }
  }

  /**
   * Both where it can be made of splits that were sealed, and where these have to be read again.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 3600})
  void aCompleteLuceneIndexThatWasDamagedSinceIsBuiltAgain(int sealEvery) throws Exception {
    ThrowingRunnable note = () -> Files.writeString(output, "a note");
    BuildProgress progress = sealEvery == 0 ? sealedAt(Stage.FINISH, note) : at(Stage.FINISH, note);
    Recovery fresh = new Recovery(Start.FRESH, Duration.ofSeconds(sealEvery), notices::add);
    assertThatThrownBy(() -> lucene(1, progress, fresh))
        .isInstanceOf(FileAlreadyExistsException.class);
    Files.delete(output);
    int sealed = sealedSplits();
    assertThat(sealed > 0).isEqualTo(sealEvery == 0);
    Path postings = onlyFile(work().resolve("index"), ".doc");
    byte[] bytes = Files.readAllBytes(postings);
    bytes[bytes.length / 2] ^= 1;
    Files.write(postings, bytes);
    notices.clear();
    assertThat(lucene(1, new BuildProgress(), recovery(Start.RESUME)).documents())
        .isEqualTo(DOCUMENTS);
    assertThat(notices)
        .anyMatch(line -> line.startsWith("the complete index is damaged: " + work()))
        .anyMatch(line -> line.startsWith("resuming with %d of ".formatted(sealed)))
        .noneMatch(line -> line.endsWith("was already complete"));
    IndexCheck.CONTENT.run(output, 1);
    assertThat(work()).doesNotExist();
  }

  /** Any of its files, whether there is something else to make it of or not. */
  @ParameterizedTest
  @CsvSource({
    "0, postings.docs",
    "3600, postings.docs",
    "0, documents.data",
    "3600, report.json",
    "0, report.json"
  })
  void aCompleteIndexThatWasDamagedSinceIsBuiltAgain(int sealEvery, String file) throws Exception {
    for (boolean isGone : new boolean[] {false, true}) {
      completeButNotInPlace(sealEvery);
      Path damaged = work().resolve("index").resolve(file);
      if (isGone) {
        Files.delete(damaged);
      } else if (file.equals("report.json")) {
        Files.writeString(damaged, Files.readString(damaged).substring(1));
      } else {
        damage(damaged);
      }
      notices.clear();
      assertThat(resume().documents()).isEqualTo(DOCUMENTS);
      assertThat(notices)
          .anyMatch(line -> line.startsWith("resuming with "))
          .noneMatch(line -> line.endsWith("was already complete"));
      // Where its report is gone it is not taken for complete to begin with.
      assertThat(
              notices.stream().filter(line -> line.startsWith("the complete index is damaged: ")))
          .hasSize(isGone && file.equals("report.json") ? 0 : 1)
          .allMatch(line -> line.contains(damaged.toString()));
      assertThat(IndexFilesHash.of(output)).isEqualTo(undisturbed());
      assertThat(work()).doesNotExist();
      Directories.deleteTree(output);
      Directories.deleteTree(directory.resolve("undisturbed"));
    }
  }

  /** Its files are those of the new one, but for the damage. */
  @Test
  void aDamagedIndexOfTheSameDocumentsIsNotTakenForTheOneThatReplacesIt() throws Exception {
    completeButNotInPlace(0);
    build(directory.resolve("undisturbed"), Start.FRESH);
    Directories.replace(
        directory.resolve("undisturbed"), output, directory.resolve("none"), () -> {});
    damage(output.resolve("postings.docs"));
    assertThatThrownBy(this::resume)
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("exists already");
    notices.clear();
    build(options(crawl, output, 2, /* overwrite= */ true), new BuildProgress(), Start.RESUME);
    assertThat(notices).containsExactly(output + " was already complete");
    assertThat(IndexFilesHash.of(output)).isEqualTo(undisturbed());
    assertThat(work()).doesNotExist();
  }

  @Test
  void oneThatWasDamagedInItsPlaceIsBuiltAgainOfWhatIsFinishedWhereItMayBeReplaced()
      throws Exception {
    completeButNotInPlace(0);
    InvertedIndexWriter.forgetCheckpoints(work().resolve("index"));
    Files.move(work().resolve("index"), output);
    damage(output.resolve("postings.docs"));
    notices.clear();
    assertThatThrownBy(this::resume)
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("exists already");
    assertThat(notices).singleElement().asString().startsWith("the complete index is damaged: ");
    assertThat(sealedSplits()).isPositive();
    notices.clear();
    build(options(crawl, output, 2, /* overwrite= */ true), new BuildProgress(), Start.RESUME);
    assertThat(notices).anyMatch(line -> line.startsWith("resuming with "));
    assertThat(IndexFilesHash.of(output)).isEqualTo(undisturbed());
    assertThat(work()).doesNotExist();
  }

  /** As where a process is killed just before the index moves to its place. */
  private void completeButNotInPlace(int sealEvery) throws IOException {
    ThrowingRunnable note = () -> Files.writeString(output, "a note");
    BuildProgress progress = sealEvery == 0 ? sealedAt(Stage.FINISH, note) : at(Stage.FINISH, note);
    Recovery fresh = new Recovery(Start.FRESH, Duration.ofSeconds(sealEvery), notices::add);
    assertThatThrownBy(
            () ->
                new Indexing(options(crawl, output, 2), Target.ownIndex(), progress, plan())
                    .withRecovery(fresh)
                    .run())
        .isInstanceOf(FileAlreadyExistsException.class);
    Files.delete(output);
    assertThat(sealedSplits() > 0).isEqualTo(sealEvery == 0);
  }

  private static Path onlyFile(Path directory, String suffix) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.toString().endsWith(suffix))
          .collect(MoreCollectors.onlyElement());
    }
  }

  private BuildReport lucene(int segments, BuildProgress progress, Recovery recovery)
      throws IOException, InterruptedException {
    return new Indexing(
            options(crawl, output, 2),
            Target.lucene(segments, IndexCheck.CONTENT),
            progress,
            plan())
        .withRecovery(recovery)
        .run();
  }
}
