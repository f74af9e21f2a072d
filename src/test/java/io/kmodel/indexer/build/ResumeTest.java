package io.kmodel.indexer.build;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.kmodel.indexer.build.Recovery.Start;
import io.kmodel.indexer.export.lucene.IndexCheck;
import io.kmodel.indexer.faults.Faults.Kind;
import io.kmodel.indexer.store.Directories;
import io.kmodel.indexer.store.FileSeal;
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
import java.util.List;
import java.util.SortedMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a build that was interrupted leaves, and what may go on with it. */
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
  void runsInMemoryAreWrittenWhenTheBuildFails() throws Exception {
    SortedMap<String, Integer> expected = undisturbed();
    // The more of them have come to their end before, the fewer files a split has.
    int inFiles = sealedAtTheFifteenthRename(0);
    deleteWork();
    int sealed = sealedAtTheFifteenthRename(256 << 20);
    assertThat(sealed).isGreaterThan(inFiles);
    assertThat(files("-0.000.postings")).hasSize(sealed).allMatch(Files::exists);
    resume();
    assertThat(notices).anyMatch(line -> line.startsWith("going on with %d of ".formatted(sealed)));
    assertThat(IndexFilesHash.of(output)).isEqualTo(expected);
  }

  private int sealedAtTheFifteenthRename(long keptBytes) throws IOException {
    MemoryPlan plan = new MemoryPlan(1 << 30, 1 << 20, 8 << 20, 256 << 20, keptBytes);
    faults.fail(Kind.RENAME, 15);
    BuildOptions options = options(crawl, system.through(output), 1);
    Recovery recovery = new Recovery(Start.ANEW, Duration.ofHours(1), notices::add);
    assertThatThrownBy(
            () -> new IndexBuild(options, new BuildProgress(), plan).withRecovery(recovery).run())
        .hasStackTraceContaining("injected");
    faults.stop();
    return sealedSplits();
  }

  @Test
  void rangesThatAreMergedAreNotMergedAgain() throws Exception {
    SortedMap<String, Integer> expected = undisturbed();
    interruptMerge();
    // Their runs may be altered after they were checked: nobody reads these ranges again.
    SealedWork sealed = SealedWork.read(journal());
    JournalEntry.RangesMerged merged = sealed.mergedRanges();
    assertThat(merged).isNotNull();
    BuildProgress progress = new BuildProgress();
    build(options(crawl, output, 2), progress, Start.RESUME);
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
    interruptParsing(1);
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

  /**
   * Half of the terms of one reading and half of another are no index: where a document is too
   * large for one of them, all that come after it have other numbers.
   */
  @ParameterizedTest
  @CsvSource({"1024, 512", "512, 1024"})
  void ofASplitThatIsReadAgainWhatWasMergedIsMergedAgain(long kibBefore, long kib)
      throws Exception {
    Files.writeString(
        crawl.resolve("part-00/page-000000a.txt"),
        IntStream.range(0, 8_000).mapToObj(Integer::toString).collect(joining(" ")));
    interruptMerge(runsOf(kibBefore));
    damage(files("-0.000.postings").getFirst());
    BuildReport report = build(output, Start.RESUME, runsOf(kib));
    assertThat(report.documents()).isEqualTo(kib < kibBefore ? DOCUMENTS : DOCUMENTS + 1);
    assertThat(notices).anyMatch(line -> line.startsWith("split 0 is read again: "));
    Path undisturbed = directory.resolve("undisturbed");
    build(undisturbed, Start.ANEW, runsOf(kib));
    assertThat(IndexFilesHash.of(output)).isEqualTo(IndexFilesHash.of(undisturbed));
  }

  /** The next one to read the journal does not know them: it forgets them at the sealed split. */
  @Test
  void whereASplitIsReadAgainRangesOfWhichNoneIsMergedAreCutAgain() throws Exception {
    interruptMerge();
    List<String> lines = Journal.read(journal());
    rewriteJournal(lines.stream().filter(line -> !line.contains("\"merged\"")).toList());
    SealedWork sealed = SealedWork.read(journal());
    assertThat(sealed.ranges()).isNotEmpty();
    assertThat(sealed.mergedRanges()).isNull();
    damage(files("-0.000.postings").getFirst());
    assertThat(sealed.verify(work().resolve("runs"), 2))
        .singleElement(STRING)
        .startsWith("split 0 is read again: ");
    assertThat(sealed.ranges()).isNull();
  }

  /** As when another version of a library unpacks the first bytes of a file faster. */
  @Test
  void splitsThatAreCutElsewhereAreNotGoneOnWith() throws Exception {
    interruptParsing();
    List<String> lines = new ArrayList<>(Journal.read(journal()));
    String first = lines.getFirst();
    lines.set(0, first.replaceFirst("\"borders\":\"[0-9a-f]+\"", "\"borders\":\"0\""));
    assertThat(lines.getFirst()).isNotEqualTo(first);
    rewriteJournal(lines);
    assertThatThrownBy(() -> build(output, Start.RESUME))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("the input is cut elsewhere")
        .hasMessageEndingWith("start anew with --restart");
    rewriteJournal(Stream.concat(Stream.of(first), lines.stream().skip(1)).toList());
    assertThat(build(output, Start.RESUME).documents()).isPositive();
  }

  @Test
  void mergedRangesThatNobodyKnowsAreForgotten() throws Exception {
    interruptMerge();
    List<String> lines = new ArrayList<>(Journal.read(journal()));
    // As a split that is read again is sealed, and a merge goes on by ranges of before it.
    lines.add(lines.stream().filter(line -> line.contains("\"split\"")).findFirst().orElseThrow());
    lines.add(lines.stream().filter(line -> line.contains("\"merged\"")).findFirst().orElseThrow());
    rewriteJournal(lines);
    SealedWork sealed = SealedWork.read(journal());
    assertThat(sealed.ranges()).isNull();
    assertThat(sealed.mergedRanges()).isNull();
  }

  @Test
  void nobodyGoesOnWithADamagedSplitWhoseRunsArePartsOfLargerOnes() throws Exception {
    MemoryPlan twoAtATime = new MemoryPlan(1 << 30, 1 << 20, 64 << 10, 256 << 20);
    for (int n = 1; SealedWork.read(journal()).passes() == 0; n += 3) {
      deleteWork();
      faults.fail(Kind.RENAME, n);
      assertThatThrownBy(() -> build(system.through(output), Start.ANEW, twoAtATime))
          .hasStackTraceContaining("injected");
    }
    faults.stop();
    Path documents = files("-0.documents").getFirst();
    damage(documents);
    assertThatThrownBy(() -> build(output, Start.RESUME, twoAtATime))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining(documents + ": checksum ")
        .hasMessageEndingWith("; start anew with --restart");
    assertThat(output).doesNotExist();
    build(output, Start.RESTART, twoAtATime);
    assertThat(IndexFilesHash.of(output)).isEqualTo(undisturbed());
  }

  private static MemoryPlan runsOf(long kib) {
    return new MemoryPlan(1 << 30, kib << 10, 8 << 20, 256 << 20);
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
  void aBuildToGoOnWithThatIsNotThereBegins() throws Exception {
    assertThat(build(output, Start.RESUME).documents()).isEqualTo(DOCUMENTS);
    assertThat(notices).isEmpty();
  }

  @Test
  void aJournalThatEndsWithinALineIsGoneOnWithWhereverItEnds() throws Exception {
    SortedMap<String, Integer> expected = undisturbed();
    interruptParsing();
    Path journal = journal();
    byte[] whole = Files.readAllBytes(journal);
    List<String> lines = Journal.read(journal);
    assertThat(lines).hasSizeGreaterThan(2);
    Files.write(journal, Arrays.copyOf(whole, whole.length - 20));
    assertThat(Journal.read(journal)).isEqualTo(lines.subList(0, lines.size() - 1));
    resume();
    assertThat(IndexFilesHash.of(output)).isEqualTo(expected);
  }

  @Test
  void whatWasPublishedBeforeLinesSaidTheFormIsKnown() throws Exception {
    interruptParsing();
    SortedMap<String, Integer> expected = undisturbed();
    Files.move(directory.resolve("undisturbed"), output);
    FileSeal metadata = FileSeal.force(output.resolve("index.json"), false);
    try (Journal journal = Journal.open(journal())) {
      journal.append(
          "{\"is\":\"finished\",\"metadata\":%s}"
              .formatted(Json.MAPPER.writeValueAsString(metadata)));
    }
    assertThat(resume().documents()).isEqualTo(DOCUMENTS);
    assertThat(notices).contains(output + " was complete already");
    assertThat(IndexFilesHash.of(output)).isEqualTo(expected);
    assertThat(work()).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'is':'begun','options':{},'splitBytes':1,'leading':1,'splits':1,'input':null,'more':1}",
        "{'is':'unheard of'}"
      })
  void aJournalOfAnotherVersionIsNamedAndStays(String line) throws Exception {
    interruptParsing();
    try (Journal journal = Journal.open(journal())) {
      journal.append(line.replace('\'', '"'));
    }
    byte[] whole = Files.readAllBytes(journal());
    for (Start start : List.of(Start.RESUME, Start.ANEW)) {
      assertThatThrownBy(() -> build(output, start))
          .isInstanceOf(BuildException.class)
          .hasMessageContaining(journal() + ": was made by another version of the program")
          .hasMessageEndingWith("start anew with --restart");
      assertThat(journal()).hasBinaryContent(whole);
    }
    build(output, Start.RESTART);
    assertThat(IndexFilesHash.of(output)).isEqualTo(undisturbed());
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

  private void interruptMerge() throws IOException {
    interruptMerge(plan());
  }

  /** Has a build fail when some ranges are merged. */
  private void interruptMerge(MemoryPlan plan) throws IOException {
    int n = 1;
    while (!isMerging()) {
      deleteWork();
      faults.fail(Kind.RENAME, n);
      n += 3;
      assertThatThrownBy(() -> build(system.through(output), Start.ANEW, plan))
          .hasStackTraceContaining("injected");
    }
    faults.stop();
  }

  private void rewriteJournal(List<String> lines) throws IOException {
    Files.delete(journal());
    try (Journal journal = Journal.open(journal())) {
      for (String line : lines) {
        journal.append(line);
      }
    }
  }

  private Path journal() {
    return work().resolve("journal");
  }

  private boolean isMerging() throws IOException {
    JournalEntry.RangesMerged merged = SealedWork.read(journal()).mergedRanges();
    return merged != null && merged.ranges() > 0;
  }

  private void deleteWork() throws IOException {
    Directories.deleteTree(work());
  }

  /** Files of sealed splits. */
  private List<Path> files(String end) throws IOException {
    SealedWork sealed = SealedWork.read(journal());
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
}
