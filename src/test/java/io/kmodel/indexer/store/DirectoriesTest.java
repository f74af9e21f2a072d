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
    assertThat(Directories.isMovable(empty, directory.resolve("nowhere/aside"))).isFalse();
    assertThat(Files.getAttribute(empty, "unix:ino")).isEqualTo(before);
    assertThat(full.resolve("file")).hasContent("content");
    try (Stream<Path> entries = Files.list(directory)) {
      assertThat(entries).containsExactlyInAnyOrder(empty, full, link);
    }
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
