package io.kmodel.indexer.indexing.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.faults.Faults;
import io.kmodel.indexer.faults.Faults.Kind;
import io.kmodel.indexer.faults.FaultyFileSystem;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.indexing.journal.JournalEntry.Finished;
import io.kmodel.indexer.indexing.journal.JournalEntry.Started;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.Recovery.Start;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.indexing.report.Json;
import io.kmodel.indexer.store.FileSeal;
import io.kmodel.indexer.store.Journal;
import io.kmodel.indexer.store.OutputFile;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * In which order an index gets its name, and what is found where a process was killed at moments
 * that are short; the rest of it is tested by builds.
 */
class WorkDirectoryTest {
  private static final Map<String, String> FORM = Map.of("segments", "2");
  private static final OutputValidator SOUND = index -> true;

  @TempDir Path directory;

  /** Or the machine may come back with a directory under the name, and some of its files. */
  @ParameterizedTest
  @CsvSource({"1, index.building/index, false", "2, '', true"})
  void anIndexHasItsNameWhenItsFilesHaveTheirs(int force, String forced, boolean named)
      throws IOException {
    Faults faults = new Faults();
    Path output = directory.resolve("index");
    try (WorkDirectory work =
        WorkDirectory.create(new FaultyFileSystem(faults).through(output), null)) {
      Files.createDirectories(work.index());
      faults.fail(Kind.FORCE, force);
      assertThatThrownBy(work::publish)
          .hasMessage("injected: FORCE of %s failed", directory.resolve(forced));
      assertThat(Files.exists(output)).isEqualTo(named);
    }
  }

  @Test
  void anIndexThatWasOnItsWayOutIsPutBackBeforeAnythingElse() throws IOException {
    Path output = directory.resolve("index");
    Path old = Files.createDirectories(work().resolve("replaced")).resolve("old");
    Files.writeString(old, "of the index");
    Files.createFile(work().resolve("lock"));
    assertThatThrownBy(() -> WorkDirectory.look(output, null, Start.FRESH))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("exists already");
    WorkDirectory.look(output, path -> path.equals(old.getParent()), Start.FRESH);
    assertThat(old).as("where one only looks").exists();
    WorkDirectory.create(output, path -> path.equals(output), Start.FRESH, SOUND).close();
    assertThat(output.resolve("old")).hasContent("of the index");
    assertThat(work()).doesNotExist();
  }

  /** A script may make its directories anew before it calls again. */
  @Test
  void anEmptyDirectoryIsNotInTheWayOfWhatIsPutBack() throws IOException {
    Path output = Files.createDirectory(directory.resolve("index"));
    Files.writeString(
        Files.createDirectories(work().resolve("replaced")).resolve("old"), "of the index");
    Files.createFile(work().resolve("lock"));
    assertThatThrownBy(() -> WorkDirectory.look(output, null, Start.FRESH))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("exists already");
    WorkDirectory.create(output, path -> path.equals(output), Start.RESTART, SOUND).close();
    assertThat(output.resolve("old")).hasContent("of the index");
    assertThat(work()).doesNotExist();
  }

  @Test
  void whatCannotBePutBackStaysWhereItIs() throws IOException {
    Path output = directory.resolve("index");
    complete(output);
    Path replaced = Files.createDirectory(work().resolve("replaced"));
    Files.writeString(replaced.resolve("old"), "of the index");
    Files.writeString(Files.createDirectory(output).resolve("other"), "of another");
    for (Start start : Start.values()) {
      assertThatThrownBy(() -> WorkDirectory.look(output, path -> true, start))
          .isInstanceOf(BuildException.class)
          .hasMessage(
              "%s: exists, but an interrupted replacement has moved the previous one to %s; move"
                  + " one of them away",
              output, replaced);
      assertThatThrownBy(() -> WorkDirectory.create(output, path -> true, start, SOUND))
          .isInstanceOf(BuildException.class)
          .hasMessageContaining("move one of them away");
    }
    assertThat(replaced.resolve("old")).hasContent("of the index");
    assertThat(output.resolve("other")).hasContent("of another");
    Files.delete(output.resolve("other"));
    Faults faults = new Faults();
    Path through = new FaultyFileSystem(faults).through(output);
    faults.fail(Kind.RENAME, 1);
    assertThatThrownBy(() -> WorkDirectory.create(through, path -> true, Start.RESTART, SOUND))
        .hasMessageStartingWith("injected: RENAME of ");
    assertThat(replaced.resolve("old")).hasContent("of the index");
  }

  @Test
  void whatIsLeftOfABuildThatIsInItsPlaceIsNothingToGoOnWithForWhoBeginsAnew() throws IOException {
    Path output = directory.resolve("index");
    complete(output);
    Files.move(work().resolve("index"), output);
    assertThatThrownBy(() -> WorkDirectory.look(output, null, Start.FRESH))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("exists already");
    assertThat(WorkDirectory.look(output, null, Start.RESUME).finished()).isNotNull();
    assertThat(WorkDirectory.look(output, path -> true, Start.FRESH).finished()).isNull();
    try (WorkDirectory again = WorkDirectory.create(output, path -> true, Start.FRESH, SOUND)) {
      assertThat(again.sealed().finished()).isNull();
      assertThat(again.isPublished()).isFalse();
      assertThat(again.journal()).doesNotExist();
    }
    complete(output);
    assertThatThrownBy(() -> WorkDirectory.create(output, null, Start.FRESH, SOUND))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("exists already");
    assertThat(output).isNotEmptyDirectory();
  }

  @Test
  void anotherIndexInThePlaceIsNotTakenForTheOneThatWasComplete() throws IOException {
    Path output = directory.resolve("index");
    complete(output);
    Files.createDirectory(output);
    Path other = Files.writeString(output.resolve(InvertedIndex.METADATA), "of another");
    assertThatThrownBy(() -> WorkDirectory.look(output, null, Start.RESUME))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("exists already");
    assertThatThrownBy(() -> WorkDirectory.create(output, null, Start.RESUME, SOUND))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("exists already");
    assertThat(other).hasContent("of another");
    try (WorkDirectory work = WorkDirectory.create(output, path -> true, Start.RESUME, SOUND)) {
      assertThat(work.isComplete(FORM)).as("as it was before").isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {InvertedIndex.METADATA, BuildReport.FILE_NAME})
  void anIndexThatLacksAFileIsNotCompleteAndLosesWhatSaysSoFirst(String file) throws IOException {
    Path output = directory.resolve("index");
    Path index = complete(output);
    Files.delete(index.resolve(file));
    for (int i = 0; i < 20; i++) {
      Files.createFile(index.resolve("postings." + i));
    }
    Faults faults = new Faults();
    Path through = new FaultyFileSystem(faults).through(output);
    faults.fail(Kind.DELETE, 2);
    assertThatThrownBy(() -> WorkDirectory.create(through, null, Start.RESUME, SOUND))
        .hasMessageStartingWith("injected: DELETE of " + index);
    assertThat(index).isNotEmptyDirectory();
    assertThat(index.resolve(InvertedIndex.METADATA)).doesNotExist();
    try (WorkDirectory work = WorkDirectory.create(output, null, Start.RESUME, SOUND)) {
      assertThat(work.isComplete(FORM)).isFalse();
      assertThat(index).doesNotExist();
    }
  }

  @Test
  void anIndexOfAnotherFormIsNotComplete() throws IOException {
    Path output = directory.resolve("index");
    complete(output);
    try (WorkDirectory work = WorkDirectory.create(output, null, Start.RESUME, SOUND)) {
      assertThat(work.isComplete(FORM)).isTrue();
      assertThat(work.isComplete(Map.of())).isFalse();
    }
  }

  /** Else the rest of the files would be taken for something to go on with. */
  @Test
  void theJournalIsTheFirstThatIsDeletedAtTheEnd() throws IOException {
    Faults faults = new Faults();
    Path output = new FaultyFileSystem(faults).through(directory.resolve("index"));
    WorkDirectory work = WorkDirectory.create(output, null);
    Files.createFile(work.journal());
    Path run = Files.createFile(work.runs().resolve("run"));
    for (int i = 0; i < 20; i++) {
      Files.createFile(work.root().resolve("other-" + i));
    }
    faults.fail(Kind.DELETE, 2);
    assertThatThrownBy(work::close).hasMessageStartingWith("injected: DELETE of ");
    assertThat(work.journal()).doesNotExist();
    assertThat(run).exists();
  }

  @Test
  void whatNoJournalKnowsOfIsDeletedBeforeABuildBegins() throws IOException {
    Path output = directory.resolve("index");
    try (WorkDirectory work = WorkDirectory.create(output, null)) {
      Files.createFile(work.runs().resolve("split-000000-0.000.postings"));
      Files.createFile(Files.createDirectory(work.index()).resolve("postings"));
      Files.createFile(work.input());
      Files.createFile(OutputFile.temporary(work.input()));
      work.keep(true);
    }
    WorkDirectory.look(output, null, Start.FRESH);
    try (WorkDirectory work = WorkDirectory.create(output, null)) {
      assertThat(work.runs()).isEmptyDirectory();
      assertThat(work.index()).doesNotExist();
    }
  }

  @Test
  void whatCameToLieInThePlaceMeanwhileIsNotReplacedEvenByWhoReplacesAnIndex() throws IOException {
    Path output = directory.resolve("index");
    Path index;
    try (WorkDirectory work =
        WorkDirectory.create(output, path -> Files.exists(path.resolve("index.json")))) {
      index = Files.createDirectory(work.index());
      Files.writeString(Files.createDirectory(output).resolve("note"), "a note");
      assertThatThrownBy(work::publish)
          .isInstanceOf(FileAlreadyExistsException.class)
          .hasMessageContaining("the index is " + index);
    }
    assertThat(output.resolve("note")).hasContent("a note");
    assertThat(index).as("of a build without a journal, too").isDirectory();
  }

  /** Both renames fail: that of what was made, and of what was there back to its place. */
  @Test
  void whereNeitherIndexCanHaveThePlaceBothStay() throws IOException {
    Path output = Files.createDirectory(directory.resolve("index"));
    Files.writeString(output.resolve("old"), "of the index");
    Faults faults = new Faults();
    Path through = new FaultyFileSystem(faults).through(output);
    try (WorkDirectory work = WorkDirectory.create(through, path -> true)) {
      Files.writeString(Files.createDirectory(work.index()).resolve("new"), "of the new one");
      faults.failFrom(Kind.RENAME, 2);
      assertThatThrownBy(work::publish).hasMessageStartingWith("injected: RENAME of ");
    }
    assertThat(work().resolve("replaced/old")).hasContent("of the index");
    assertThat(work().resolve("index/new")).hasContent("of the new one");
    WorkDirectory.create(output, path -> true, Start.FRESH, SOUND).close();
    assertThat(output.resolve("old")).as("put back").hasContent("of the index");
  }

  @Test
  void whatWasReplacedStaysWhereTheNewOneIsDamaged() throws IOException {
    Path output = directory.resolve("index");
    complete(output);
    Files.move(work().resolve("index"), output);
    Path old = Files.createDirectory(work().resolve("replaced")).resolve("old");
    Files.writeString(old, "of the index");
    assertThatThrownBy(
            () -> WorkDirectory.create(output, path -> true, Start.RESUME, index -> false))
        .isInstanceOf(BuildException.class)
        .hasMessage(
            "%s was damaged after it had replaced what is in %s; move one of them away",
            output, old.getParent());
    assertThat(old).hasContent("of the index");
    try (WorkDirectory work = WorkDirectory.create(output, null, Start.RESUME, SOUND)) {
      assertThat(work.isComplete(FORM)).isTrue();
      assertThat(work.isPublished()).isTrue();
      work.keep(false);
    }
    assertThat(work()).doesNotExist();
  }

  /** The finished index waits for the exchange under the name of the replaced one. */
  @ParameterizedTest
  @EnumSource(Start.class)
  void anIndexWhoseBuildWasKilledBeforeTheExchangeIsKeptForWhoResumes(Start start)
      throws IOException {
    Path output = directory.resolve("index");
    Files.move(complete(output), work().resolve("replaced"));
    Path old =
        Files.writeString(
            Files.createDirectory(output).resolve(InvertedIndex.METADATA), "of the old");
    WorkDirectory.look(output, path -> true, Start.RESUME);
    assertThatThrownBy(() -> WorkDirectory.create(output, null, Start.RESUME, SOUND))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("exists already");
    if (start == Start.FRESH) {
      assertThatThrownBy(() -> WorkDirectory.create(output, path -> true, start, SOUND))
          .hasMessageContaining("has the index of an interrupted build");
      assertThat(work().resolve("index")).isDirectory();
      return;
    }
    try (WorkDirectory work = WorkDirectory.create(output, path -> true, start, SOUND)) {
      assertThat(old).hasContent("of the old");
      assertThat(work.isPublished()).isFalse();
      assertThat(work.isComplete(FORM)).isEqualTo(start == Start.RESUME);
      assertThat(work().resolve("replaced")).doesNotExist();
      if (start == Start.RESUME) {
        work.publish();
      }
    }
    assertThat(old).hasContent(start == Start.RESUME ? "of this" : "of the old");
    assertThat(work()).doesNotExist();
  }

  @ParameterizedTest
  @EnumSource(Start.class)
  void anIndexThatWasExchangedIsNeverPutBack(Start start) throws IOException {
    Path output = directory.resolve("index");
    Files.move(complete(output), output);
    Path old = Files.createDirectory(work().resolve("replaced"));
    Files.writeString(old.resolve(InvertedIndex.METADATA), "of the old");
    try (WorkDirectory work = WorkDirectory.create(output, path -> true, start, SOUND)) {
      assertThat(work.isPublished()).isEqualTo(start == Start.RESUME);
      assertThat(work.index()).doesNotExist();
      work.keep(false);
    }
    assertThat(output.resolve(InvertedIndex.METADATA)).hasContent("of this");
    assertThat(work()).doesNotExist();
  }

  /** A build that ends within the first seconds has no journal. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void withoutAJournalTheIndexInThePlaceStays(boolean isExchanged) throws IOException {
    Path output = directory.resolve("index");
    Path index = complete(output);
    Files.delete(work().resolve("journal"));
    Files.move(index, isExchanged ? output : work().resolve("replaced"));
    Path old = isExchanged ? work().resolve("replaced") : output;
    Files.writeString(Files.createDirectory(old).resolve(InvertedIndex.METADATA), "of the old");
    try (WorkDirectory work = WorkDirectory.create(output, path -> true, Start.RESUME, SOUND)) {
      assertThat(work.isComplete(FORM)).isFalse();
    }
    assertThat(output.resolve(InvertedIndex.METADATA))
        .hasContent(isExchanged ? "of this" : "of the old");
    assertThat(work()).doesNotExist();
  }

  private Path work() {
    return directory.resolve("index.building");
  }

  /** Leaves what a build does that was killed when its index was complete; returns this. */
  private static Path complete(Path output) throws IOException {
    try (WorkDirectory work = WorkDirectory.create(output, path -> true)) {
      Path index = Files.createDirectory(work.index());
      Files.writeString(index.resolve(BuildReport.FILE_NAME), "{}");
      Path metadata = Files.writeString(index.resolve(InvertedIndex.METADATA), "of this");
      FileSeal seal = FileSeal.force(metadata, false);
      try (Journal journal = Journal.open(work.journal())) {
        Started started = new Started(Map.of(), 1, 1, 1, "borders", seal);
        journal.append(Json.MAPPER.writeValueAsString(started));
        journal.append(Json.MAPPER.writeValueAsString(new Finished(seal, FORM)));
      }
      work.keep(true);
      return index;
    }
  }
}
