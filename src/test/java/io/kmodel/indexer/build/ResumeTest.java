package io.kmodel.indexer.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.build.Recovery.Start;
import io.kmodel.indexer.equality.SampleDocuments;
import io.kmodel.indexer.export.lucene.IndexCheck;
import io.kmodel.indexer.faults.Faults;
import io.kmodel.indexer.faults.Faults.Kind;
import io.kmodel.indexer.faults.FaultyFileSystem;
import io.kmodel.indexer.index.Detail;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.PostingsConsumer;
import io.kmodel.indexer.index.PostingsCopier;
import io.kmodel.indexer.parse.FieldPlan;
import io.kmodel.indexer.parse.HtmlMode;
import io.kmodel.indexer.parse.IndexAnalysis;
import io.kmodel.indexer.store.Directories;
import io.kmodel.indexer.store.Journal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a build that was interrupted leaves, and what may go on with it. */
@Timeout(120)
class ResumeTest {
  private static final int DOCUMENTS = 400;
  private static final Path NO_PATH = Path.of("");

  private final Faults faults = new Faults();
  private final FaultyFileSystem system = new FaultyFileSystem(faults);
  private final List<String> notices = Collections.synchronizedList(new ArrayList<>());

  @TempDir Path directory;
  private Path crawl = NO_PATH;
  private Path output = NO_PATH;

  @BeforeEach
  void writeCrawl() throws IOException, InterruptedException {
    crawl = Files.createDirectory(directory.resolve("crawl"));
    output = directory.resolve("index");
    Crawls.write(crawl, SampleDocuments.random(3, DOCUMENTS, 1200));
  }

  @Test
  void whatIsFinishedIsNotReadAgain() throws Exception {
    interruptParsing();
    int sealed = sealedSplits();
    assertThat(sealed).isPositive();
    // The text of what was read can be gone; its size and time tell that it is the same.
    SortedMap<String, Integer> expected = undisturbed();
    overwriteWithoutNotice(crawl.resolve("part-00/page-000000.html"));
    BuildReport report = resume();
    assertThat(notices).anyMatch(line -> line.startsWith("going on with %d of ".formatted(sealed)));
    assertThat(report.documents()).isEqualTo(DOCUMENTS);
    assertThat(IndexFilesHash.of(output)).isEqualTo(expected);
    assertThat(work()).doesNotExist();
  }

  @Test
  void otherThreadsAndMemoryGiveTheSameBytes() throws Exception {
    SortedMap<String, Integer> expected = undisturbed();
    interruptParsing();
    new IndexBuild(
            options(crawl, output, 5),
            new BuildProgress(),
            new MemoryPlan(1 << 30, 64 << 20, 1 << 20, 256 << 20))
        .withRecovery(recovery(Start.RESUME))
        .run();
    assertThat(IndexFilesHash.of(output)).isEqualTo(expected);
  }

  @Test
  void rangesThatAreMergedAreNotMergedAgain() throws Exception {
    SortedMap<String, Integer> expected = undisturbed();
    interruptMerge();
    // Their runs may be altered after they were checked: nobody reads these ranges again.
    SealedWork sealed = SealedWork.read(work().resolve("journal"));
    JournalEntry.RangesMerged merged = sealed.mergedRanges();
    assertThat(merged).isNotNull();
    BuildProgress progress = new BuildProgress();
    new IndexBuild(options(crawl, output, 2), progress, plan())
        .withRecovery(recovery(Start.RESUME))
        .run();
    assertThat(progress.mergedRanges()).isEqualTo(progress.ranges());
    assertThat(merged.ranges()).isPositive().isLessThan((int) progress.ranges());
    assertThat(IndexFilesHash.of(output)).isEqualTo(expected);
  }

  @Test
  void aMergeWhoseFilesAreDamagedBeginsAnew() throws Exception {
    SortedMap<String, Integer> expected = undisturbed();
    interruptMerge();
    try (Stream<Path> files = Files.walk(work().resolve("index"))) {
      damage(
          files
              .filter(file -> file.toString().endsWith("postings.docs.tmp"))
              .findFirst()
              .orElseThrow());
    }
    resume();
    assertThat(notices).anyMatch(line -> line.startsWith("what was merged is merged again: "));
    assertThat(IndexFilesHash.of(output)).isEqualTo(expected);
  }

  @Test
  void aSplitWhoseFilesAreDamagedIsReadAgain() throws Exception {
    SortedMap<String, Integer> expected = undisturbed();
    interruptParsing();
    Path run = files("-0.000.postings").get(0);
    damage(run);
    Path documents = files("-0.documents").get(1);
    Files.delete(documents);
    resume();
    assertThat(notices)
        .filteredOn(line -> line.contains("is read again"))
        .hasSize(2)
        .anyMatch(line -> line.contains(run + ": checksum "))
        .anyMatch(line -> line.contains(documents + ": is not there"));
    assertThat(IndexFilesHash.of(output)).isEqualTo(expected);
  }

  @Test
  void aMergeThatTheDiskHasNoRoomForIsGoneOnWithWhenThereIs() throws Exception {
    SortedMap<String, Integer> expected = undisturbed();
    long index = Directories.bytes(directory.resolve("undisturbed"), "");
    faults.leaveFree(index / 2);
    assertThatThrownBy(() -> build(system.through(output), Start.ANEW))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("no room on the disk: the merge (of runs of ")
        .hasMessageContaining(" and %,d are free".formatted(index / 2));
    assertThat(sealedSplits()).isPositive();
    // Half as much again as the index is more than the estimate.
    faults.leaveFree(index + index / 2);
    build(system.through(output), Start.RESUME);
    assertThat(IndexFilesHash.of(output)).isEqualTo(expected);
  }

  @Test
  void withoutAWordFinishedWorkIsNeitherDroppedNorGoneOnWith() throws Exception {
    interruptParsing();
    assertThatThrownBy(() -> build(output, Start.ANEW))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("--resume")
        .hasMessageContaining("--restart")
        .hasMessageContaining("index.building has " + sealedSplits() + " finished splits");
    assertThat(sealedSplits()).isPositive();
    build(output, Start.RESTART);
    assertThat(notices).noneMatch(line -> line.startsWith("going on"));
    assertThat(work()).doesNotExist();
  }

  @Test
  void aBuildToGoOnWithThatIsNotThereBegins() throws Exception {
    assertThat(build(output, Start.RESUME).documents()).isEqualTo(DOCUMENTS);
    assertThat(notices).isEmpty();
  }

  @Test
  void anotherConfigurationIsRefusedByName() throws Exception {
    interruptParsing();
    BuildOptions same = options(crawl, output, 2);
    BuildOptions other =
        new BuildOptions(
            same.roots(),
            same.source(),
            same.duplicates(),
            output,
            false,
            HtmlMode.FAST,
            new IndexedText(
                FieldPlan.DEFAULT, IndexAnalysis.of("english"), Detail.OFFSETS, Store.ID),
            same.resources());
    assertThatThrownBy(
            () ->
                new IndexBuild(other, new BuildProgress(), plan())
                    .withRecovery(recovery(Start.RESUME))
                    .run())
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("--analyzer is english, and was standard")
        .hasMessageContaining("--offsets is true, and was false")
        .hasMessageContaining("--store is id, and was contents");
    assertThat(sealedSplits()).isPositive();
  }

  @Test
  void otherInputIsRefusedByName() throws Exception {
    interruptParsing();
    Path page = crawl.resolve("part-01/page-000050.html");
    FileTime time = Files.getLastModifiedTime(page);
    Files.setLastModifiedTime(page, FileTime.fromMillis(time.toMillis() - 60_000));
    assertRefused("part-01/page-000050.html was changed on");
    Files.setLastModifiedTime(page, time);

    String text = Files.readString(page);
    Files.writeString(page, text + "more");
    assertRefused("part-01/page-000050.html has %,d bytes, and had".formatted(Files.size(page)));
    Files.writeString(page, text);
    Files.setLastModifiedTime(page, time);

    Path more = Files.writeString(crawl.resolve("part-01/new.html"), "new");
    assertRefused("part-01/new.html is new");
    Files.delete(more);

    Path last = Files.writeString(crawl.resolve("zzz.html"), "new");
    assertRefused("zzz.html is new");
    Files.delete(last);

    Path away = directory.resolve("away");
    Files.move(page, away);
    assertRefused("part-01/page-000050.html is not there any more");
    Files.move(away, page);
    resume();
    assertThat(output).isDirectory();
  }

  @Test
  void theSecondBuildIsToldWhoIsAtWork() throws Exception {
    try (WorkDirectory first = WorkDirectory.create(output, null)) {
      assertThatThrownBy(() -> build(output, Start.ANEW))
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
    assertThat(build(output, Start.ANEW).documents()).isEqualTo(DOCUMENTS);
  }

  @Test
  void whoReadsAnIndexIsNotDisturbedByItsReplacement() throws Exception {
    build(output, Start.ANEW);
    try (InvertedIndex index = InvertedIndex.open(output)) {
      long postings = new PostingsCopier().copy(index.cursor(), new Ignoring());
      try (Stream<Path> pages = Files.list(crawl.resolve("part-00"))) {
        for (Path page : pages.toList()) {
          Files.delete(page);
        }
      }
      BuildOptions options = options(crawl, output, 2);
      new IndexBuild(
              new BuildOptions(
                  options.roots(),
                  output,
                  true,
                  HtmlMode.FAST,
                  "standard",
                  true,
                  Store.CONTENTS,
                  options.resources()),
              new BuildProgress(),
              plan())
          .run();
      assertThat(new PostingsCopier().copy(index.cursor(), new Ignoring())).isEqualTo(postings);
      assertThat(index.documents().text(0, 0)).isNotEmpty();
      try (InvertedIndex replaced = InvertedIndex.open(output)) {
        assertThat(replaced.documentCount()).isLessThan(index.documentCount());
      }
    }
  }

  @Test
  void aJournalThatEndsWithinALineIsGoneOnWithWhereverItEnds() throws Exception {
    SortedMap<String, Integer> expected = undisturbed();
    interruptParsing();
    Path journal = work().resolve("journal");
    byte[] whole = Files.readAllBytes(journal);
    List<String> lines = Journal.read(journal);
    assertThat(lines).hasSizeGreaterThan(2);
    Files.write(journal, Arrays.copyOf(whole, whole.length - 20));
    assertThat(Journal.read(journal)).isEqualTo(lines.subList(0, lines.size() - 1));
    resume();
    assertThat(IndexFilesHash.of(output)).isEqualTo(expected);
  }

  @Test
  void aLuceneBuildThatMergesGoesOnWithItsSplits() throws Exception {
    faults.fail(Kind.RENAME, 12);
    assertThatThrownBy(() -> lucene(system.through(output), 1, Start.ANEW))
        .hasStackTraceContaining("injected");
    faults.stop();
    assertThat(sealedSplits()).isPositive();
    assertThat(lucene(output, 1, Start.RESUME).documents()).isEqualTo(DOCUMENTS);
    assertThat(notices).anyMatch(line -> line.startsWith("going on with "));
    assertThat(work()).doesNotExist();
  }

  @Test
  void aLuceneBuildOfASegmentPerRunSaysThatItCannotGoOn() {
    assertThatThrownBy(() -> lucene(output, LuceneBuild.SEGMENT_PER_RUN, Start.RESUME))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("--resume is for --output, or --segments");
    assertThat(work()).doesNotExist();
  }

  private BuildReport lucene(Path target, int segments, Start start)
      throws IOException, InterruptedException {
    return new LuceneBuild(
            options(crawl, target, 2),
            new LuceneBuild.Target(segments, IndexCheck.CONTENT),
            new BuildProgress(),
            plan())
        .withRecovery(recovery(start))
        .run();
  }

  private void assertRefused(String why) {
    assertThatThrownBy(this::resume)
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("the input is not what the interrupted build began with")
        .hasMessageContaining(why)
        .hasMessageContaining("--restart");
    assertThat(work()).isDirectory();
  }

  /** Has a build fail when some splits are finished. */
  private void interruptParsing() {
    faults.fail(Kind.RENAME, 9);
    assertThatThrownBy(() -> build(system.through(output), Start.ANEW))
        .hasStackTraceContaining("injected");
    faults.stop();
    assertThat(notices)
        .anyMatch(line -> line.endsWith("the same command with --resume goes on from there"));
    assertThat(output).doesNotExist();
  }

  /** Has a build fail when some ranges are merged. */
  private void interruptMerge() throws IOException {
    int n = 1;
    while (!isMerging()) {
      deleteWork();
      faults.fail(Kind.RENAME, n);
      n += 3;
      assertThatThrownBy(() -> build(system.through(output), Start.ANEW))
          .hasStackTraceContaining("injected");
    }
    faults.stop();
  }

  private boolean isMerging() throws IOException {
    JournalEntry.RangesMerged merged = SealedWork.read(work().resolve("journal")).mergedRanges();
    return merged != null && merged.ranges() > 2;
  }

  private void deleteWork() throws IOException {
    Directories.deleteTree(work());
  }

  private int sealedSplits() throws IOException {
    return SealedWork.read(work().resolve("journal")).splits();
  }

  private Path work() {
    return directory.resolve("index.building");
  }

  /** Files of sealed splits. */
  private List<Path> files(String end) throws IOException {
    SealedWork sealed = SealedWork.read(work().resolve("journal"));
    List<Path> files = new ArrayList<>();
    for (int split = 0; split < 12; split++) {
      if (sealed.split(new JournalEntry.Reading(split, 0)) != null) {
        files.add(work().resolve("runs/split-%06d%s".formatted(split, end)));
      }
    }
    return files;
  }

  private static void damage(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 4;
    Files.write(file, bytes);
  }

  private static void overwriteWithoutNotice(Path file) throws IOException {
    FileTime time = Files.getLastModifiedTime(file);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate((int) Files.size(file)));
    }
    Files.setLastModifiedTime(file, time);
  }

  private SortedMap<String, Integer> undisturbed() throws IOException, InterruptedException {
    Path other = directory.resolve("undisturbed");
    build(other, Start.ANEW);
    return IndexFilesHash.of(other);
  }

  private BuildReport resume() throws IOException, InterruptedException {
    return build(output, Start.RESUME);
  }

  private BuildReport build(Path target, Start start) throws IOException, InterruptedException {
    return new IndexBuild(options(crawl, target, 2), new BuildProgress(), plan())
        .withRecovery(recovery(start))
        .run();
  }

  private Recovery recovery(Start start) {
    return new Recovery(start, Duration.ZERO, notices::add);
  }

  private static MemoryPlan plan() {
    return new MemoryPlan(1 << 30, 1 << 20, 1 << 20, 256 << 20);
  }

  private static BuildOptions options(Path crawl, Path target, int threads) {
    return new BuildOptions(
        ImmutableList.of(crawl),
        target,
        false,
        HtmlMode.FAST,
        "standard",
        true,
        Store.CONTENTS,
        new BuildOptions.Resources(threads, 1L << 30));
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
