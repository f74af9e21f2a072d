package io.kmodel.indexer.indexing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.index.model.FormatLimitException;
import io.kmodel.indexer.indexing.journal.WorkDirectory;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.Recovery;
import io.kmodel.indexer.indexing.options.Recovery.Start;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.store.disk.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Builds that end while something else is made of their index, which is in its place. */
@Timeout(120)
class ResumeFollowedTest extends InterruptedBuild {
  private final List<Path> made = new ArrayList<>();

  /** Both where splits were sealed before, and where nothing was. */
  @ParameterizedTest
  @ValueSource(ints = {0, 3600})
  void theIndexIsNotBuiltAgain(int sealEvery) throws Exception {
    failWhatFollows(sealEvery);
    assertThat(IndexFilesHash.of(output)).isEqualTo(undisturbed());
    assertThat(notices)
        .contains(output + " is complete; the same command with --resume does the rest");
    assertThat(work().resolve("runs")).doesNotExist();
    notices.clear();
    assertThat(follow(options(crawl, output, 1), Start.RESUME).documents()).isEqualTo(DOCUMENTS);
    assertThat(notices).containsExactly(output + " was already complete");
    assertThat(made).containsExactly(output);
    assertThat(work()).doesNotExist();
  }

  @Test
  void itIsGoneOnWithAsOftenAsItTakes() throws Exception {
    failWhatFollows(0);
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(
              () -> run(options(crawl, output, 2), 0, Start.RESUME, ResumeFollowedTest::fail))
          .hasMessage("nothing is made");
      assertThat(work().resolve("runs")).doesNotExist();
    }
    follow(options(crawl, output, 2), Start.RESUME);
    assertThat(made).containsExactly(output);
  }

  @Test
  void whatItHasLeftInTheCrawlIsNoOtherInputAndNoDocument() throws Exception {
    Path place = crawl.resolve("made");
    failWhatFollows(
        0,
        report -> {
          Files.createDirectory(place);
          Files.writeString(place.resolve("half.txt"), "half made");
          throw new IOException("nothing is made");
        });
    assertThat(follow(options(crawl, output, 2), Start.RESUME).documents()).isEqualTo(DOCUMENTS);
    assertThat(follow(options(crawl, output, 2, /* overwrite= */ true), Start.FRESH).documents())
        .isEqualTo(DOCUMENTS);
    Directories.deleteTree(place);
  }

  @Test
  void whoBeginsAnewIsToldAndNothingIsForgotten() throws Exception {
    failWhatFollows(0);
    String refusal =
        "%s exists already; finish its export with build --resume, or replace it with --overwrite"
            .formatted(output);
    assertThatThrownBy(() -> WorkDirectory.look(output, null, Start.FRESH))
        .isInstanceOf(BuildException.class)
        .hasMessage(refusal);
    for (Start start : List.of(Start.FRESH, Start.RESTART)) {
      assertThatThrownBy(() -> follow(options(crawl, output, 2), start))
          .isInstanceOf(BuildException.class)
          .hasMessageContaining("exists already");
    }
    follow(options(crawl, output, 2), Start.RESUME);
    assertThat(made).containsExactly(output);
  }

  @Test
  void anotherBuildIsRefusedOrReplacesIt() throws Exception {
    failWhatFollows(0);
    Path more = Files.writeString(crawl.resolve("more.txt"), "more");
    assertThatThrownBy(() -> follow(options(crawl, output, 2), Start.RESUME))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("the input has changed since the interrupted build");
    assertThat(follow(options(crawl, output, 2, /* overwrite= */ true), Start.FRESH).documents())
        .isEqualTo(DOCUMENTS + 1);
    assertThat(made).containsExactly(output);
    assertThat(work()).doesNotExist();
    Files.delete(more);
  }

  /** Its runs are gone: there is nothing that could be gone on with. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anIndexThatIsDamagedOrGoneIsBuiltFromTheBeginning(boolean isGone) throws Exception {
    failWhatFollows(0);
    if (isGone) {
      Directories.deleteTree(output);
    } else {
      damage(output.resolve("postings.docs"));
    }
    notices.clear();
    follow(options(crawl, output, 2, /* overwrite= */ true), Start.RESUME);
    assertThat(notices)
        .noneMatch(line -> line.startsWith("resuming") || line.contains("read again"));
    assertThat(IndexFilesHash.of(output)).isEqualTo(undisturbed());
    assertThat(made).containsExactly(output);
    assertThat(work()).doesNotExist();
  }

  @Test
  void whatCannotBeMadeOfTheIndexIsNothingToGoOnWith() {
    assertThatThrownBy(
            () ->
                run(
                    options(crawl, output, 2),
                    0,
                    Start.FRESH,
                    report -> {
                      throw new FormatLimitException("too long");
                    }))
        .hasMessage("too long");
    assertThat(output).isNotEmptyDirectory();
    assertThat(work()).doesNotExist();
    assertThat(notices).noneMatch(line -> line.contains("--resume"));
  }

  private void failWhatFollows(int sealEvery) {
    failWhatFollows(sealEvery, ResumeFollowedTest::fail);
  }

  private void failWhatFollows(int sealEvery, Target.Sequel sequel) {
    assertThatThrownBy(() -> run(options(crawl, output, 2), sealEvery, Start.FRESH, sequel))
        .hasMessage("nothing is made");
  }

  private static void fail(BuildReport report) throws IOException {
    throw new IOException("nothing is made");
  }

  private BuildReport follow(BuildOptions options, Start start)
      throws IOException, InterruptedException {
    return run(options, 0, start, report -> made.add(Path.of(report.output())));
  }

  private BuildReport run(BuildOptions options, int sealEvery, Start start, Target.Sequel sequel)
      throws IOException, InterruptedException {
    Target target = Target.ownIndexThen(sequel, List.of(crawl.resolve("made")), false);
    return new Indexing(options, target, new BuildProgress(), plan())
        .withRecovery(new Recovery(start, Duration.ofSeconds(sealEvery), notices::add))
        .run();
  }
}
