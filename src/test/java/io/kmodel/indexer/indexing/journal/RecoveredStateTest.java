package io.kmodel.indexer.indexing.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.index.WriterCheckpoint;
import io.kmodel.indexer.indexing.journal.JournalEntry.JsonObjects;
import io.kmodel.indexer.indexing.journal.JournalEntry.Pages;
import io.kmodel.indexer.indexing.journal.JournalEntry.RangesCut;
import io.kmodel.indexer.indexing.journal.JournalEntry.RangesMerged;
import io.kmodel.indexer.indexing.journal.JournalEntry.Run;
import io.kmodel.indexer.indexing.journal.JournalEntry.RunsMerged;
import io.kmodel.indexer.indexing.journal.JournalEntry.Skips;
import io.kmodel.indexer.indexing.journal.JournalEntry.SplitDropped;
import io.kmodel.indexer.indexing.journal.JournalEntry.SplitSealed;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.report.Json;
import io.kmodel.indexer.merge.TermRange;
import io.kmodel.indexer.store.FileSeal;
import io.kmodel.indexer.store.Journal;
import io.kmodel.indexer.store.OutputFile.Checkpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What lines of a journal come to together, and what of the files that they name must be there. */
class RecoveredStateTest {
  private static final RangesCut CUT = new RangesCut(List.of(new byte[] {1}, new byte[] {2}));

  @TempDir Path directory;
  private Path runs = Path.of("");

  @BeforeEach
  void makeRuns() throws IOException {
    runs = Files.createDirectory(directory.resolve("runs"));
  }

  @Test
  void whatIsMergedOfRangesThatAreCutAgainDoesNotCount() throws IOException {
    RangesMerged before = merged(2, "before");
    RangesMerged since = merged(1, "since");
    assertThat(work(CUT, before, CUT).mergedRanges()).isNull();
    assertThat(work(CUT, before, CUT).ranges()).hasSize(3);
    assertThat(work(CUT, before, CUT, since).mergedRanges()).isEqualTo(since);
  }

  /** Each checkpoint has the files of terms that were written since the one before. */
  @Test
  void termsOfAllCheckpointsAreOfTheIndexAndTheLastSaysHowFarItHasCome() throws IOException {
    RangesMerged all = work(CUT, merged(1, "a"), merged(2, "b"), merged(3, "c")).mergedRanges();
    assertThat(all).isNotNull();
    assertThat(all.ranges()).isEqualTo(3);
    assertThat(all.index().terms()).extracting(FileSeal::name).containsExactly("a", "b", "c");
    assertThat(all.index().maxDoc()).isEqualTo(3);
  }

  @Test
  void rangesLieBetweenTheKeysAndAroundThem() throws IOException {
    assertThat(work().ranges()).isNull();
    List<TermRange> ranges = work(CUT).ranges();
    assertThat(ranges).extracting(TermRange::from).containsExactly(null, key(1), key(2));
    assertThat(ranges).extracting(TermRange::to).containsExactly(key(1), key(2), null);
    assertThat(work(new RangesCut(List.of())).ranges()).hasSize(1);
  }

  private static byte[] key(int value) {
    return new byte[] {(byte) value};
  }

  @Test
  void aRunIsInTheLargestThatItIsAPartOf() throws IOException {
    RecoveredState work =
        work(
            new RunsMerged(0, seal("ab"), List.of("a", "b")),
            new RunsMerged(0, seal("cd"), List.of("c", "d")),
            new RunsMerged(1, seal("abcd"), List.of("ab", "cd")),
            new RunsMerged(0, seal("ef"), List.of("e", "f")));
    assertThat(work.present(paths("a", "b", "c", "d", "e", "f", "g")))
        .isEqualTo(paths("abcd", "ef", "g"));
    assertThat(work.passes()).as("numbers that are taken").isEqualTo(2);
    assertThat(work().passes()).isZero();
  }

  private List<Path> paths(String... names) {
    return Stream.of(names).map(runs::resolve).toList();
  }

  @Test
  void onlyWhatIsKnownAndNeededStays() throws Exception {
    SplitSealed whole = split(0, "a", "b");
    SplitSealed dropped = split(1, "c");
    RunsMerged small = new RunsMerged(0, seal("ab"), List.of("a", "b"));
    RunsMerged large = new RunsMerged(1, seal("abc"), List.of("ab", "c"));
    seal("nobody knows");
    for (String gone : List.of("a", "b", "ab", "1.skips")) {
      Files.delete(runs.resolve(gone));
    }
    RecoveredState work = work(whole, dropped, small, large, new SplitDropped(dropped.reading()));
    assertThat(work.verify(runs, 2)).isEmpty();
    assertThat(names())
        .containsExactlyInAnyOrder("abc", "0.stored", "0.columns", "0.ids", "0.skips", "1.ids");
    assertThat(work.splits()).isEqualTo(1);
  }

  @Test
  void aSplitOfWhichAnyFileIsDamagedIsReadAgainAndLosesTheOthers() throws Exception {
    List<String> files = List.of("0.stored", "0.columns", "0.ids", "0.skips", "a", "b");
    for (String damaged : files) {
      SplitSealed first = split(0, "a", "b");
      SplitSealed second = split(1, "c");
      RecoveredState work = work(first, second, CUT, merged(1, "terms"));
      Files.writeString(runs.resolve(damaged), "altered");
      assertThat(work.verify(runs, 2))
          .hasSize(2)
          .anyMatch(line -> line.startsWith("split 0 is read again: " + runs.resolve(damaged)))
          .last()
          .asString()
          .startsWith("the merge starts over");
      assertThat(work.split(first.reading())).isNull();
      assertThat(work.split(second.reading())).isEqualTo(second);
      assertThat(work.mergedRanges()).isNull();
      assertThat(work.ranges()).isNull();
      assertThat(names())
          .containsExactlyInAnyOrder("1.stored", "1.columns", "1.ids", "1.skips", "c");
    }
  }

  @Test
  void wherePartsAreGoneALargerRunHasToBeWhole() throws Exception {
    SplitSealed split = split(0, "a", "b");
    RecoveredState work = work(split, new RunsMerged(0, seal("ab"), List.of("a", "b")));
    Path larger = Files.writeString(runs.resolve("ab"), "altered");
    assertThatThrownBy(() -> work.verify(runs, 2))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("the saved work cannot be used: " + larger);
    assertThat(names()).as("nothing is deleted then").contains("a", "b", "ab", "0.stored");
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(runs)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  private SplitSealed split(int number, String... names) throws IOException {
    List<Run> sealed = new ArrayList<>();
    for (String name : names) {
      sealed.add(new Run(seal(name), 1));
    }
    return new SplitSealed(
        new Reading(number, 0),
        sealed,
        seal(number + ".stored"),
        seal(number + ".columns"),
        seal(number + ".ids"),
        null,
        new Skips(
            seal(number + ".skips"), Map.of(), Map.of(), Map.of(), JsonObjects.NONE, Map.of()),
        new Pages(0, 0, Map.of()),
        false,
        Map.of());
  }

  private FileSeal seal(String name) throws IOException {
    return FileSeal.force(Files.writeString(runs.resolve(name), "content of " + name), false);
  }

  private static RangesMerged merged(int ranges, String terms) {
    Checkpoint bytes = new Checkpoint(ranges, 0);
    List<FileSeal> files = List.of(new FileSeal(terms, 1, 2, true));
    return new RangesMerged(ranges, new WriterCheckpoint(0, ranges, bytes, bytes, files, ranges));
  }

  private RecoveredState work(JournalEntry... entries) throws IOException {
    Path file = directory.resolve("journal");
    Files.deleteIfExists(file);
    try (Journal journal = Journal.open(file)) {
      for (JournalEntry entry : entries) {
        journal.append(Json.MAPPER.writeValueAsString(entry));
      }
    }
    return RecoveredState.read(file);
  }
}
