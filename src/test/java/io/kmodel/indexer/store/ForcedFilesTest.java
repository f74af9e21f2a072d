package io.kmodel.indexer.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.faults.Faults;
import io.kmodel.indexer.faults.Faults.Kind;
import io.kmodel.indexer.faults.FaultyFileSystem;
import io.kmodel.indexer.store.disk.DiskSpace;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is forced to the disk, what is closed, and when: told by calls that fail. */
class ForcedFilesTest {
  private final Faults faults = new Faults();
  private final FaultyFileSystem system = new FaultyFileSystem(faults);

  @TempDir Path directory;
  private Path file = Path.of("");

  @BeforeEach
  void nameTheFile() {
    file = system.through(directory.resolve("file"));
  }

  @Test
  void aCommittedFileIsForcedBeforeItHasItsNameAndThenItsDirectory() throws IOException {
    assertFails(Kind.FORCE, 1, OutputFile.temporary(file), () -> write().commit());
    assertThat(directory.resolve("file")).doesNotExist();
    assertFails(Kind.FORCE, 2, directory, () -> write().commit());
    assertThat(directory.resolve("file")).exists();
  }

  @Test
  void aFileThatNeedNotSurviveTheMachineWaitsForNothing() throws IOException {
    faults.failFrom(Kind.FORCE, 1);
    write().commitUnforced();
    assertThat(faults.injected()).isZero();
    assertThat(directory.resolve("file")).exists();
  }

  @Test
  void aCheckpointIsOfBytesThatWereForced() throws IOException {
    try (OutputFile out = write()) {
      assertFails(Kind.FORCE, 1, OutputFile.temporary(file), out::checkpoint);
    }
  }

  @Test
  void aSealIsOfAFileThatWasForced() throws IOException {
    Files.writeString(file, "some text");
    assertFails(Kind.FORCE, 1, file, () -> FileSeal.force(file, false));
  }

  @Test
  void aJournalHasItsNameWhenItIsOpenAndItsLinesWhenTheyAreForced() throws IOException {
    assertFails(Kind.FORCE, 1, directory, () -> Journal.open(file));
    try (Journal journal = Journal.open(file)) {
      journal.append("a line");
      assertFails(Kind.FORCE, 1, file, journal::force);
    }
  }

  @Test
  void aFileIsClosedBeforeItHasItsNameAndWhenItIsLeftOrGivenUp() throws IOException {
    Path temporary = OutputFile.temporary(file);
    assertFails(Kind.CLOSE, 1, temporary, () -> write().commitUnforced());
    assertThat(directory.resolve("file")).doesNotExist();
    assertFails(Kind.CLOSE, 1, temporary, () -> write().close());
    OutputFile out = write();
    OutputFile.Checkpoint at = out.checkpoint();
    assertFails(Kind.CLOSE, 1, temporary, out::leave);
    OutputFile.Checkpoint other = new OutputFile.Checkpoint(at.bytes(), at.checksum() ^ 1);
    assertFails(Kind.CLOSE, 1, temporary, () -> OutputFile.reopen(file, "test", other));
    assertFails(Kind.CLOSE, 1, file, () -> Journal.open(file).close());
  }

  @Test
  void aWriteThatFailsNamesTheFileAndHowFarItCame() throws IOException {
    Path temporary = OutputFile.temporary(file);
    faults.fail(Kind.WRITE, 3);
    try (OutputFile out = OutputFile.create(file, "test", 1)) {
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 100_000; i++) {
                  out.writeInt(i);
                }
              })
          .isInstanceOf(IOException.class)
          .hasMessage("%s: injected: WRITE of %s failed after 131069 bytes", temporary, temporary);
    }
  }

  @Test
  void aDiskThatHasTooLittleRoomIsRefusedBeforeItIsFull() throws IOException {
    Path absent = file.resolveSibling("a/b/c");
    faults.leaveFree(1000);
    DiskSpace.CHECKED.require(absent, 1000, "a file");
    assertThatThrownBy(() -> DiskSpace.CHECKED.require(absent, 1001, "a file"))
        .isInstanceOf(FileSystemException.class)
        .hasMessage(
            "%s: not enough disk space: a file takes about 1,001 bytes, but only 1,000 are free;"
                + " use --ignore-free-space to try anyway",
            absent);
    assertThat(absent.getParent()).doesNotExist();
    DiskSpace.UNCHECKED.require(absent, Long.MAX_VALUE, "a file");
  }

  /** Has the nth call of a kind fail, which must be of this path. */
  private void assertFails(Kind kind, int n, Path path, ThrowingCallable call) {
    faults.fail(kind, n);
    assertThatThrownBy(call)
        .isInstanceOf(IOException.class)
        .hasMessage("injected: %s of %s failed", kind, path);
    faults.stop();
  }

  private OutputFile write() throws IOException {
    OutputFile out = OutputFile.create(file, "test", 1);
    out.writeLong(42);
    return out;
  }
}
