package io.kmodel.indexer.store.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.store.LockProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One owner at a time, in whatever process, and none of what others have made. */
@Timeout(120)
class DirectoryLockTest {
  private static final int ROUNDS = 30;
  private static final int CONTENDED = 300;

  @TempDir Path temporary;

  /** The second descriptor of the file that its owner once opened took the lock away. */
  @Test
  void aLockThatAnotherProcessHasIsRefusedWithItsNumber() throws IOException {
    Path directory = temporary.resolve("work");
    try (LockProcess first = new LockProcess(directory);
        LockProcess second = new LockProcess(directory)) {
      for (int round = 0; round < ROUNDS; round++) {
        assertThat(first.order("take")).as("round %d", round).isEqualTo("taken");
        for (int again = 0; again < 3; again++) {
          assertThat(second.order("take")).startsWith("process %d on ".formatted(first.pid()));
        }
        assertThat(first.order(round % 2 == 0 ? "close" : "delete")).isEqualTo("done");
        assertThat(second.order("take")).as("round %d", round).isEqualTo("taken");
        assertThat(first.order("take")).startsWith("process %d on ".formatted(second.pid()));
        assertThat(second.order("delete")).isEqualTo("done");
        assertThat(directory).doesNotExist();
      }
    }
  }

  @Test
  void whoIsRefusedInTheSameProcessTakesNobodysLockAway() throws IOException {
    Path directory = temporary.resolve("work");
    Path link = Files.createSymbolicLink(temporary.resolve("link"), temporary).resolve("work");
    try (LockProcess other = new LockProcess(directory)) {
      try (DirectoryLock lock = DirectoryLock.take(directory, LockProcess.ENTRIES)) {
        for (Path path : new Path[] {directory, link}) {
          assertThatThrownBy(() -> DirectoryLock.take(path, LockProcess.ENTRIES))
              .isInstanceOf(LockedException.class)
              .hasMessageMatching(
                  ".*process %d on \\S.*, since 2\\S+".formatted(ProcessHandle.current().pid()));
        }
        assertThat(other.order("take"))
            .startsWith("process %d on ".formatted(ProcessHandle.current().pid()));
        lock.deleteAtClose();
      }
      assertThat(other.order("take")).isEqualTo("taken");
    }
  }

  /** Who has it can delete what was made; else an empty lock stays behind. */
  @Test
  void aThreadThatIsInterruptedTakesTheLockAllTheSameAndStaysInterrupted() throws IOException {
    Path directory = temporary.resolve("work");
    Thread.currentThread().interrupt();
    try (DirectoryLock lock = DirectoryLock.take(directory, LockProcess.ENTRIES)) {
      assertThat(Thread.interrupted()).isTrue();
      lock.deleteAtClose();
      Thread.currentThread().interrupt();
    }
    assertThat(Thread.interrupted()).isTrue();
    assertThat(directory).doesNotExist();
  }

  @Test
  void aLockEndsWithItsProcess() throws IOException {
    Path directory = temporary.resolve("work");
    try (LockProcess other = new LockProcess(directory)) {
      assertThat(other.order("take")).isEqualTo("taken");
    }
    Files.createDirectories(directory.resolve("work/below"));
    try (DirectoryLock lock = DirectoryLock.take(directory, LockProcess.ENTRIES)) {
      lock.deleteAtClose();
    }
    assertThat(directory).doesNotExist();
  }

  /** Where the last owner deletes the directory while the next ones come. */
  @Test
  void ofManyThatComeAtOnceOneIsAtWork() throws IOException {
    Path directory = temporary.resolve("work");
    try (LockProcess first = new LockProcess(directory);
        LockProcess second = new LockProcess(directory)) {
      first.tell(Integer.toString(CONTENDED));
      second.tell(Integer.toString(CONTENDED));
      String own = LockProcess.contend(directory, CONTENDED);
      for (String answer : new String[] {own, first.answer(), second.answer()}) {
        assertThat(answer).startsWith("taken %d times".formatted(CONTENDED));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"photo.jpg", "work", "lock", "lock/", "work/, photo.jpg"})
  void whatSomebodyElseHasMadeIsLeftAsItIs(String names) throws IOException {
    Path directory = Files.createDirectory(temporary.resolve("work"));
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    for (String name : names.split(", ", -1)) {
      if (name.endsWith("/")) {
        Files.createDirectories(directory.resolve(name).resolve("below"));
      } else {
        Files.writeString(directory.resolve(name), "12345\n");
      }
    }
    SortedMap<String, String> before = tree(directory);
    assertThatThrownBy(() -> DirectoryLock.take(directory, LockProcess.ENTRIES))
        .isInstanceOf(ForeignDirectoryException.class)
        .hasMessageContaining(directory.toString())
        .hasMessageContaining("move it away");
    assertThat(tree(directory)).isEqualTo(before);
  }

  @Test
  void whatIsNoDirectoryIsLeftAsItIs() throws IOException {
    Path mine = Files.createDirectory(temporary.resolve("mine"));
    Path link = Files.createSymbolicLink(temporary.resolve("link"), mine);
    Path file = Files.createFile(temporary.resolve("file"));
    for (Path path : new Path[] {link, file}) {
      assertThatThrownBy(() -> DirectoryLock.take(path, LockProcess.ENTRIES))
          .isInstanceOf(ForeignDirectoryException.class)
          .hasMessageContaining("is not a directory");
    }
    assertThat(mine).isEmptyDirectory();
    assertThat(link).isSymbolicLink();
  }

  /** A process may end before the lock's file has a word in it, and before it is there. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatWasHardlyBegunIsTaken(boolean withLock) throws IOException {
    Path directory = Files.createDirectory(temporary.resolve("work"));
    if (withLock) {
      Files.createFile(directory.resolve("lock"));
    }
    try (DirectoryLock lock = DirectoryLock.take(directory, LockProcess.ENTRIES)) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
          .isEqualTo("rwx------");
      lock.deleteAtClose();
    }
    assertThat(directory).doesNotExist();
  }

  /** Permissions and content by path. */
  private static SortedMap<String, String> tree(Path root) throws IOException {
    SortedMap<String, String> tree = new TreeMap<>();
    try (Stream<Path> all = Files.walk(root)) {
      for (Path path : (Iterable<Path>) all::iterator) {
        tree.put(
            path.toString(),
            Files.getPosixFilePermissions(path)
                + (Files.isDirectory(path) ? "" : Files.readString(path)));
      }
    }
    return tree;
  }
}
