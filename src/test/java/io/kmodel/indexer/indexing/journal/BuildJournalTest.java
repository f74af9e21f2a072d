package io.kmodel.indexer.indexing.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.faults.Faults;
import io.kmodel.indexer.faults.Faults.Kind;
import io.kmodel.indexer.faults.FaultyFileSystem;
import io.kmodel.indexer.indexing.journal.BuildJournal.After;
import io.kmodel.indexer.indexing.journal.JournalEntry.Finished;
import io.kmodel.indexer.indexing.journal.JournalEntry.JsonObjects;
import io.kmodel.indexer.indexing.journal.JournalEntry.Pages;
import io.kmodel.indexer.indexing.journal.JournalEntry.RangesCut;
import io.kmodel.indexer.indexing.journal.JournalEntry.RunsMerged;
import io.kmodel.indexer.indexing.journal.JournalEntry.Skips;
import io.kmodel.indexer.indexing.journal.JournalEntry.SplitSealed;
import io.kmodel.indexer.indexing.journal.JournalEntry.Started;
import io.kmodel.indexer.store.FileSeal;
import io.kmodel.indexer.store.Journal;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of what is added to a journal, and in which order. */
@Timeout(60)
class BuildJournalTest {
  private static final FileSeal FILE = new FileSeal("file", 1, 2, true);
  private static final RunsMerged RUNS = new RunsMerged(0, FILE, List.of("run"));
  private static final RangesCut RANGES = new RangesCut(List.of());
  private static final Finished FINISHED = new Finished(FILE, Map.of());

  /** So that nobody seals but who is told to. */
  private static final Duration LONG = Duration.ofHours(1);

  private final Faults faults = new Faults();
  private final List<String> replaced = new ArrayList<>();

  @TempDir Path directory;

  /** Else a line would name a file that the machine forgets, or nothing would have the old one. */
  @ParameterizedTest
  @CsvSource({"1, input", "2, runs", "3, ''", "4, journal"})
  void filesAreForcedThenTheirNamesThenLinesAndThenTheOldOnesGo(int force, String forced)
      throws IOException {
    try (WorkDirectory work = work();
        BuildJournal journal = journal(work, LONG)) {
      begin(journal, work);
      journal.add(() -> RUNS, () -> replaced.add("run"));
      faults.fail(Kind.FORCE, force);
      assertThatThrownBy(journal::sealNow)
          .hasMessage("injected: FORCE of %s failed", work.root().resolve(forced));
      assertThat(replaced).isEmpty();
      assertThatThrownBy(() -> journal.add(() -> RANGES, After.NOTHING))
          .hasMessageStartingWith("finished work could not be saved: injected");
    }
  }

  @Test
  void whatALineReplacesGoesOnceAndOnlyWhatIsReplaced() throws IOException {
    try (WorkDirectory work = work();
        BuildJournal journal = journal(work, LONG)) {
      journal.add(() -> RUNS, () -> replaced.add("run"));
      journal.sealNow();
      assertThat(work.journal()).as("before the crawl is known").doesNotExist();
      begin(journal, work);
      journal.sealNow();
      journal.sealNow();
      assertThat(replaced).containsExactly("run");
      assertThat(lines(work)).hasSize(2).last().isEqualTo(RUNS);
    }
  }

  @Test
  void theFirstLineSaysOfWhichBuildAndHowItsCrawlWasCut() throws IOException {
    try (WorkDirectory work = work();
        BuildJournal journal = journal(work, LONG)) {
      begin(journal, work);
      journal.addSplit(() -> split(0));
      journal.sealNow();
      FileSeal input = FileSeal.force(work.input(), true);
      assertThat(lines(work))
          .first()
          .isEqualTo(new Started(Map.of("store", "id"), 1, 2, 4, "borders", input));
    }
  }

  @Test
  void splitsOfBeforeCountAndTheJournalIsClosed() throws IOException {
    try (WorkDirectory work = work()) {
      BuildJournal journal = BuildJournal.of(work, Map.of(), LONG, 3);
      assertThat(journal.splits()).isEqualTo(3);
      assertThat(journal.isKept()).isTrue();
      faults.fail(Kind.CLOSE, 1);
      assertThatThrownBy(journal::close).hasMessage("injected: CLOSE of %s failed", work.journal());
    }
  }

  @Test
  void whereASplitCannotBeSealedThoseBeforeAndAfterAreAndNothingElse() throws IOException {
    try (WorkDirectory work = work();
        BuildJournal journal = journal(work, LONG)) {
      begin(journal, work);
      journal.add(() -> RUNS, () -> replaced.add("run"));
      journal.addSplit(() -> split(0));
      journal.addSplit(
          () -> {
            throw new IOException("no room");
          });
      journal.addSplit(() -> split(2));
      journal.add(() -> RANGES, () -> replaced.add("ranges"));
      assertThatThrownBy(journal::sealNow).hasMessage("no room");
      assertThat(lines(work).subList(1, 4)).containsExactly(RUNS, split(0), split(2));
      assertThat(lines(work)).hasSize(4);
      assertThat(replaced).containsExactly("run");
      assertThat(journal.splits()).isEqualTo(2);
    }
  }

  /** A file is closed under whoever writes to it in a thread that is told to stop. */
  @Test
  void aThreadThatIsToldToStopSavesWhatIsFinishedAndIsToldStill() throws IOException {
    try (WorkDirectory work = work();
        BuildJournal journal = journal(work, LONG)) {
      begin(journal, work);
      journal.addSplit(() -> split(0));
      Thread.currentThread().interrupt();
      boolean kept = journal.rescue(new InterruptedException());
      assertThat(Thread.interrupted()).isTrue();
      assertThat(kept).isTrue();
      assertThat(lines(work)).last().isEqualTo(split(0));
    }
  }

  @Test
  void whatIsInHandWhenTheJournalIsStoppedCanBeSealedLater() throws Exception {
    Thread stopping = Thread.currentThread();
    CountDownLatch inHand = new CountDownLatch(1);
    try (WorkDirectory work = work();
        BuildJournal journal = journal(work, Duration.ZERO)) {
      journal.addSplit(() -> split(0));
      journal.addSplit(
          () -> {
            if (inHand.getCount() > 0) {
              inHand.countDown();
              awaitJoin(stopping);
            }
            return split(1);
          });
      journal.addSplit(() -> split(2));
      begin(journal, work);
      inHand.await();
      journal.stop();
      assertThat(work.journal()).doesNotExist();
      journal.sealNow();
      assertThat(lines(work).subList(1, 4)).containsExactly(split(0), split(1), split(2));
      assertThat(lines(work)).hasSize(4);
    }
  }

  private static void awaitJoin(Thread thread) {
    while (Arrays.stream(thread.getStackTrace())
        .noneMatch(frame -> frame.getMethodName().equals("joinUninterruptibly"))) {
      Thread.onSpinWait();
    }
  }

  /** Of a build that is too short to have sealed anything, but cannot move what it has made. */
  @Test
  void whatIsCompleteIsSealedWhenTheBuildFailsAndNothingElse() throws IOException {
    try (WorkDirectory work = work();
        BuildJournal journal = journal(work, LONG)) {
      begin(journal, work);
      journal.addSplit(() -> split(0));
      journal.stop();
      journal.finish(() -> FINISHED);
      assertThat(journal.isResultSealed()).isFalse();
      assertThat(journal.rescue(new IOException("no place"))).isTrue();
      assertThat(journal.isKept()).isFalse();
      assertThat(lines(work)).hasSize(2).last().isEqualTo(FINISHED);
    }
  }

  @Test
  void whatIsCompleteIsSealedAtOnceWhereSomethingIsKept() throws IOException {
    try (WorkDirectory work = work();
        BuildJournal journal = journal(work, LONG)) {
      begin(journal, work);
      journal.addSplit(() -> split(0));
      journal.sealNow();
      journal.stop();
      journal.finish(() -> FINISHED);
      assertThat(journal.isResultSealed()).isTrue();
      assertThat(journal.rescue(new IOException("no place"))).isTrue();
      assertThat(lines(work).subList(1, 3)).containsExactly(split(0), FINISHED);
      assertThat(lines(work)).hasSize(3);
    }
  }

  /** Half a line would hide all behind it. */
  @Test
  void whatIsCompleteCanBeReadWhereALineBeforeWasWrittenInPart() throws IOException {
    try (WorkDirectory work = work();
        BuildJournal journal = journal(work, LONG)) {
      begin(journal, work);
      journal.addSplit(() -> split(0));
      journal.sealNow();
      journal.add(() -> RUNS, After.NOTHING);
      faults.fail(Kind.WRITE, 1);
      assertThatThrownBy(journal::sealNow).hasMessageContaining("injected: WRITE of ");
      faults.stop();
      journal.stop();
      journal.finish(() -> FINISHED);
      assertThat(journal.isResultSealed()).isTrue();
      assertThat(lines(work).subList(1, 3)).containsExactly(split(0), FINISHED);
    }
  }

  private WorkDirectory work() throws IOException {
    Path output = new FaultyFileSystem(faults).through(directory.resolve("index"));
    return WorkDirectory.create(output, null);
  }

  private static BuildJournal journal(WorkDirectory work, Duration interval) throws IOException {
    return BuildJournal.of(work, Map.of("store", "id"), interval, 0);
  }

  private static void begin(BuildJournal journal, WorkDirectory work) throws IOException {
    try (InputList files = InputList.write(work.input())) {
      files.end();
    }
    journal.begin(new Checkpoints.Cut(1, 2, 4, "borders"), work.input());
  }

  private static SplitSealed split(int number) {
    Skips skips = new Skips(FILE, Map.of(), Map.of(), Map.of(), JsonObjects.NONE, Map.of());
    Pages pages = new Pages(0, 0, Map.of());
    return new SplitSealed(
        new Reading(number, 0), List.of(), null, null, null, null, skips, pages, false, Map.of());
  }

  /** What the journal says, of which the first is how it began. */
  private static List<JournalEntry> lines(WorkDirectory work) throws IOException {
    List<JournalEntry> entries = new ArrayList<>();
    for (String line : Journal.read(work.journal())) {
      entries.add(JournalEntry.parse(line));
    }
    assertThat(entries).first().isInstanceOf(Started.class);
    return entries;
  }
}
