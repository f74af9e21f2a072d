package io.kmodel.indexer.indexing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.export.lucene.IndexCheck;
import io.kmodel.indexer.faults.Faults.Kind;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.options.Recovery;
import io.kmodel.indexer.indexing.options.Recovery.Start;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.store.disk.Directories;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a build that was interrupted leaves, and what goes on with it. */
@Timeout(120)
class ResumeTest extends InterruptedBuild {
  @Test
  void whatIsFinishedIsNotReadAgain() throws Exception {
    interruptParsing(1);
    int sealed = sealedSplits();
    assertThat(sealed).isPositive();
    // The text of what was read can be gone; its size and time tell that it is the same.
    SortedMap<String, Integer> expected = undisturbed();
    overwriteWithoutNotice(crawl.resolve("part-00/page-000000.html"));
    BuildReport report = resume();
    assertThat(notices).anyMatch(line -> line.startsWith("resuming with %d of ".formatted(sealed)));
    assertThat(report.documents()).isEqualTo(DOCUMENTS);
    assertThat(report.sources())
        .containsExactly(
            Map.entry("html", new BuildReport.Source(DOCUMENTS, report.sourceBytes())));
    assertThat(IndexFilesHash.of(output)).isEqualTo(expected);
    assertThat(work()).doesNotExist();
  }

  @Test
  void otherThreadsAndMemoryGiveTheSameBytes() throws Exception {
    SortedMap<String, Integer> expected = undisturbed();
    interruptParsing();
    new Indexing(
            options(crawl, output, 5),
            Target.ownIndex(),
            new BuildProgress(),
            new MemoryPlan(1 << 30, 64 << 20, 1 << 20, 256 << 20))
        .withRecovery(recovery(Start.RESUME))
        .run();
    assertThat(IndexFilesHash.of(output)).isEqualTo(expected);
  }

  @Test
  void runsInMemoryAreWrittenWhenTheBuildFails() throws Exception {
    SortedMap<String, Integer> expected = undisturbed();
    // The more of them have come to their end before, the fewer files a split has.
    int inFiles = sealedAtTheFifteenthRename(0);
    deleteWork();
    int sealed = sealedAtTheFifteenthRename(256 << 20);
    assertThat(sealed).isGreaterThan(inFiles);
    assertThat(files("-0.000.postings")).hasSize(sealed).allMatch(Files::exists);
    resume();
    assertThat(notices).anyMatch(line -> line.startsWith("resuming with %d of ".formatted(sealed)));
    assertThat(IndexFilesHash.of(output)).isEqualTo(expected);
  }

  private int sealedAtTheFifteenthRename(long keptBytes) throws IOException {
    MemoryPlan plan = new MemoryPlan(1 << 30, 1 << 20, 8 << 20, 256 << 20, keptBytes);
    faults.fail(Kind.RENAME, 15);
    BuildOptions options = options(crawl, system.through(output), 1);
    Recovery recovery = new Recovery(Start.FRESH, Duration.ofHours(1), notices::add);
    assertThatThrownBy(
            () ->
                new Indexing(options, Target.ownIndex(), new BuildProgress(), plan)
                    .withRecovery(recovery)
                    .run())
        .hasStackTraceContaining("injected");
    faults.stop();
    return sealedSplits();
  }

  @Test
  void rangesThatAreMergedAreNotMergedAgain() throws Exception {
    SortedMap<String, Integer> expected = undisturbed();
    interruptMerge();
    // Their runs may be altered after they were checked: nobody reads these ranges again.
    int merged = saved().mergedRanges();
    BuildProgress progress = new BuildProgress();
    build(options(crawl, output, 2), progress, Start.RESUME);
    assertThat(progress.mergedRanges()).isEqualTo(progress.ranges());
    assertThat(merged).isPositive().isLessThan((int) progress.ranges());
    assertThat(IndexFilesHash.of(output)).isEqualTo(expected);
  }

  @Test
  void aMergeThatTheDiskHasNoRoomForIsGoneOnWithWhenThereIs() throws Exception {
    SortedMap<String, Integer> expected = undisturbed();
    long index = Directories.bytes(directory.resolve("undisturbed"), "");
    faults.leaveFree(index / 2);
    assertThatThrownBy(() -> build(system.through(output), Start.FRESH))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("not enough disk space: the merge (of runs of ")
        .hasMessageContaining(" but only %,d are free".formatted(index / 2));
    assertThat(sealedSplits()).isPositive();
    // Half as much again as the index is more than the estimate.
    faults.leaveFree(index + index / 2);
    build(system.through(output), Start.RESUME);
    assertThat(IndexFilesHash.of(output)).isEqualTo(expected);
  }

  @Test
  void aBuildToGoOnWithThatIsNotThereBegins() throws Exception {
    assertThat(build(output, Start.RESUME).documents()).isEqualTo(DOCUMENTS);
    assertThat(notices).isEmpty();
  }

  @Test
  void aLuceneBuildThatMergesGoesOnWithItsSplits() throws Exception {
    faults.fail(Kind.RENAME, 12);
    assertThatThrownBy(() -> lucene(system.through(output), 1, Start.FRESH))
        .hasStackTraceContaining("injected");
    faults.stop();
    assertThat(sealedSplits()).isPositive();
    assertThat(lucene(output, 1, Start.RESUME).documents()).isEqualTo(DOCUMENTS);
    assertThat(notices).anyMatch(line -> line.startsWith("resuming with "));
    assertThat(work()).doesNotExist();
  }

  @Test
  void aLuceneBuildOfASegmentPerRunSaysThatItCannotGoOn() {
    assertThatThrownBy(() -> lucene(output, Target.SEGMENT_PER_RUN, Start.RESUME))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("--resume needs --output or --segments");
    assertThat(work()).doesNotExist();
  }

  private BuildReport lucene(Path target, int segments, Start start)
      throws IOException, InterruptedException {
    return new Indexing(
            options(crawl, target, 2),
            Target.lucene(segments, IndexCheck.CONTENT),
            new BuildProgress(),
            plan())
        .withRecovery(recovery(start))
        .run();
  }

  private static void overwriteWithoutNotice(Path file) throws IOException {
    FileTime time = Files.getLastModifiedTime(file);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate((int) Files.size(file)));
    }
    Files.setLastModifiedTime(file, time);
  }
}
