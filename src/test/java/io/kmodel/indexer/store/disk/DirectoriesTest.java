package io.kmodel.indexer.store.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kmodel.indexer.faults.Faults;
import io.kmodel.indexer.faults.FaultyFileSystem;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which directories can be moved; deleting and forcing are tested by builds. */
class DirectoriesTest {
  @TempDir Path directory;

  @Test
  void aDirectoryIsMovableAndStaysWhereItIs() throws IOException {
    Path empty = Files.createDirectory(directory.resolve("empty"));
    Path full = Files.createDirectory(directory.resolve("full"));
    Files.writeString(full.resolve("file"), "content");
    Path link = Files.createSymbolicLink(directory.resolve("link"), empty);
    Object before = Files.getAttribute(empty, "unix:ino");
    Path aside = directory.resolve("aside");
    for (Path movable : List.of(empty, full, link)) {
      assertThat(Directories.isMovable(movable, aside)).as("%s", movable).isTrue();
      assertThat(Directories.isMountPoint(movable)).as("%s", movable).isFalse();
    }
    Path nowhere = directory.resolve("nowhere/aside");
    assertThat(Directories.isMovable(empty, nowhere)).isFalse();
    assertThat(Directories.isMovable(full, nowhere)).as("that is not tried").isTrue();
    assertThat(Directories.isMovable(empty, full)).as("where aside is taken").isTrue();
    assertThat(Files.getAttribute(empty, "unix:ino")).isEqualTo(before);
    assertThat(full.resolve("file")).hasContent("content");
    try (Stream<Path> entries = Files.list(directory)) {
      assertThat(entries).containsExactlyInAnyOrder(empty, full, link);
    }
  }

  @Test
  void theBytesOfADirectoryAreThoseOfItsFiles() throws IOException {
    Files.writeString(directory.resolve("docs.a"), "12345");
    Files.writeString(directory.resolve("docs.b"), "123");
    Files.writeString(directory.resolve("terms"), "1");
    Path below = Files.createDirectory(directory.resolve("docs"));
    assertThat(Directories.isEmpty(below)).isTrue();
    Files.writeString(below.resolve("docs.c"), "1234567");
    assertThat(Directories.isEmpty(below)).isFalse();
    assertThat(Directories.bytes(directory, "docs")).isEqualTo(8);
    assertThat(Directories.bytes(directory, "")).isEqualTo(9);
    assertThat(Directories.bytes(directory, "other")).isZero();
  }

  /** As it is where the process died after the replacement, and before that was deleted. */
  @Test
  void whatIsLeftOfAnEarlierReplacementIsNotInTheWayOfTheNext() throws IOException {
    Path place = Files.createDirectory(directory.resolve("place"));
    Path made = Files.createDirectory(directory.resolve("made"));
    Path aside = Files.createDirectory(directory.resolve("aside"));
    Files.writeString(place.resolve("file"), "now");
    Files.writeString(made.resolve("file"), "new");
    Files.writeString(aside.resolve("other"), "old");
    Directories.replace(made, place, aside, () -> {});
    assertThat(place.resolve("file")).hasContent("new");
    assertThat(made).doesNotExist();
    assertThat(aside.resolve("file")).hasContent("now");
    assertThat(aside.resolve("other")).doesNotExist();
  }

  /** With the exchange there is always an index; the faulty file system has none. */
  @Test
  void aDirectoryIsReplacedByAnExchangeOrByTwoRenames() throws IOException {
    assumeTrue("Linux".equals(System.getProperty("os.name")), "only Linux exchanges names");
    Path place = Files.createDirectory(directory.resolve("plaçe"));
    Path made = directory.resolve("made");
    Path aside = directory.resolve("aside");
    Files.writeString(place.resolve("file"), "old");
    for (boolean inOneStep : new boolean[] {true, false}) {
      Files.writeString(Files.createDirectory(made).resolve("file"), "new");
      FaultyFileSystem system = new FaultyFileSystem(new Faults());
      Directories.replace(
          inOneStep ? made : system.through(made),
          inOneStep ? place : system.through(place),
          inOneStep ? aside : system.through(aside),
          () -> {
            assertThat(Files.exists(place)).isEqualTo(inOneStep);
            assertThat(Files.exists(made)).isEqualTo(!inOneStep);
            assertThat(aside.resolve("file")).hasContent(inOneStep ? "new" : "old");
          });
      assertThat(place.resolve("file")).hasContent("new");
      assertThat(aside.resolve("file")).hasContent("old");
      assertThat(made).doesNotExist();
      Files.writeString(place.resolve("file"), "old");
    }
  }

  @Test
  void aDirectoryThatCannotBeReplacedStaysAndSoDoesTheNewOne() throws IOException {
    Path place = Files.createDirectory(directory.resolve("place"));
    Path made = Files.createDirectory(directory.resolve("made"));
    Files.writeString(place.resolve("file"), "old");
    Files.writeString(made.resolve("file"), "new");
    Path nowhere = directory.resolve("nowhere/aside");
    assertThatThrownBy(() -> Directories.replace(made, place, nowhere, () -> {}))
        .isInstanceOf(NoSuchFileException.class);
    assertThat(place.resolve("file")).hasContent("old");
    assertThat(made.resolve("file")).hasContent("new");
  }

  /** The system refuses to exchange names across file systems, and to rename across them. */
  @Test
  void aDirectoryOnAnotherDiskIsNotReplaced() throws IOException {
    Path memory = Path.of("/dev/shm");
    assumeTrue(Files.isWritable(memory), "no second file system");
    assumeFalse(Files.getFileStore(memory).equals(Files.getFileStore(directory)), "the same disk");
    Path place = Files.createTempDirectory(memory, "place");
    try {
      Path made = Files.createDirectory(directory.resolve("made"));
      Path aside = directory.resolve("aside");
      Files.writeString(place.resolve("file"), "old");
      Files.writeString(made.resolve("file"), "new");
      assertThatThrownBy(() -> Directories.replace(made, place, aside, () -> {}))
          .isInstanceOf(AtomicMoveNotSupportedException.class);
      assertThat(place.resolve("file")).hasContent("old");
      assertThat(made.resolve("file")).hasContent("new");
      assertThat(aside).doesNotExist();
    } finally {
      Directories.deleteTree(place);
    }
  }

  @Test
  void aThreadThatWasInterruptedBeforeReplacesNothing() throws IOException {
    Path place = Files.createDirectory(directory.resolve("place"));
    Path made = Files.createDirectory(directory.resolve("made"));
    Path file = Files.createFile(directory.resolve("file"));
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> Directories.replace(made, place, directory.resolve("aside"), () -> {}))
        .isInstanceOf(ClosedByInterruptException.class);
    assertThatThrownBy(() -> Directories.moveFile(file, directory.resolve("moved")))
        .isInstanceOf(ClosedByInterruptException.class);
    assertThat(Thread.interrupted()).isTrue();
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).containsExactlyInAnyOrder(place, made, file);
    }
  }

  /** Else it would say that nothing was made, and what is in the place says otherwise. */
  @Test
  void oneThatIsInterruptedMeanwhileEndsWhatItHasBegun() throws IOException {
    Path place = Files.createDirectory(directory.resolve("place"));
    Path made = Files.createDirectory(directory.resolve("made"));
    Files.writeString(made.resolve("file"), "new");
    Directories.replace(
        made, place, directory.resolve("aside"), () -> Thread.currentThread().interrupt());
    assertThat(Thread.interrupted()).isTrue();
    assertThat(place.resolve("file")).hasContent("new");
  }

  @Test
  void whatIsAsideGoesBackUnlessWhatWasMadeHasItsPlace() throws IOException {
    Path place = directory.resolve("place");
    Path made = directory.resolve("made");
    Path aside = directory.resolve("aside");
    Directories.restore(made, place, aside);
    assertThat(place).doesNotExist();
    for (boolean isEmpty : new boolean[] {false, true}) {
      Files.writeString(Files.createDirectory(aside).resolve("file"), "old");
      if (isEmpty) {
        Files.createDirectory(place);
      }
      Files.createDirectory(made);
      Directories.restore(made, place, aside);
      assertThat(place.resolve("file")).hasContent("old");
      assertThat(aside).doesNotExist();
      Directories.deleteTree(place);
      Files.delete(made);
    }
    Files.writeString(Files.createDirectory(aside).resolve("file"), "old");
    Files.writeString(Files.createDirectory(place).resolve("file"), "new");
    Files.createDirectory(made);
    assertThatThrownBy(() -> Directories.restore(made, place, aside))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("the previous one to " + aside + "; move one of them away");
    assertThat(aside.resolve("file")).hasContent("old");
    Files.delete(made);
    Directories.restore(made, place, aside);
    assertThat(place.resolve("file")).hasContent("new");
    assertThat(aside).doesNotExist();
  }

  @Test
  void aMountPointIsNot() throws IOException {
    Path mount = Path.of("/proc");
    assumeTrue(Files.isDirectory(mount), "Linux has one");
    for (Path mounted : List.of(mount, Path.of("/"))) {
      assertThat(Directories.isMountPoint(mounted)).as("%s", mounted).isTrue();
      assertThat(Directories.isMovable(mounted, directory.resolve("aside"))).isFalse();
    }
  }
}
