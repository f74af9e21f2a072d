package io.kmodel.indexer.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildProgress.Stage;
import io.kmodel.indexer.source.remote.RemoteCounts;
import org.junit.jupiter.api.Test;

class ProgressViewTest {
  @Test
  void aStageOfUnknownLengthShowsNoShare() {
    assertThat(ProgressView.line(new BuildProgress(), 2))
        .isEqualTo("2 s: scanning, 0 documents, 0 B, 0 runs");
    assertThat(BuildEvents.members(new BuildProgress(), 2).toString())
        .isEqualTo("{stage=scanning, seconds=2.0, documents=0, bytes=0, runs=0}");
  }

  @Test
  void copyingStandardInputShowsItsBytes() {
    BuildProgress progress = new BuildProgress();
    progress.enter(Stage.RECEIVE);
    progress.receive(3_000_000);
    assertThat(ProgressView.line(progress, 2))
        .startsWith("2 s: reading standard input, 2.86 MiB, ")
        .endsWith("/s");
    assertThat(BuildEvents.members(progress, 2)).containsEntry("received", 3_000_000L);
  }

  @Test
  void aServerThatDoesNotAnswerIsNamed() {
    BuildProgress progress = new BuildProgress();
    RemoteCounts counts = new RemoteCounts();
    progress.reads(counts);
    counts.retry("host: no connection; try 2 of 10 is next");
    assertThat(ProgressView.line(progress, 2))
        .isEqualTo("2 s: scanning, 0 documents; host: no connection; try 2 of 10 is next");
    assertThat(BuildEvents.members(progress, 2))
        .containsEntry("server", "host: no connection; try 2 of 10 is next");
  }

  @Test
  void parsingShowsNoShareBeforeTheCrawlIsListed() {
    BuildProgress progress = new BuildProgress();
    assertThat(ProgressView.isMeasured(Stage.PARSE, progress)).isFalse();
    assertThat(ProgressView.isMeasured(Stage.SCAN, progress)).isFalse();
    assertThat(ProgressView.isMeasured(Stage.MERGE, progress)).isTrue();
  }

  @Test
  void workOfKnownLengthShowsItsShareItsRateAndWhatIsLeft() {
    assertThat(TaskView.line("exporting", 25, 100, 10))
        .isEqualTo("10 s: exporting 25 %, 2.50 % a second, about 30 s left");
    assertThat(TaskView.line("exporting", 0, 100, 10)).isEqualTo("10 s: exporting 0 %");
    assertThat(TaskView.line("exporting", 0, 0, 10)).isEqualTo("10 s: exporting 100 %");
    assertThat(TaskView.members("exporting", 25, 100, 10).toString())
        .isEqualTo("{stage=exporting, seconds=10.0, share=0.25, secondsLeft=30.0}");
  }
}
