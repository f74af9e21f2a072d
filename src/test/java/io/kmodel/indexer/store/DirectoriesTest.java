package io.kmodel.indexer.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
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
