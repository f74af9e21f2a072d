package io.kmodel.indexer.store.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.collect.ImmutableSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeFolderTest {
  @TempDir Path directory;

  @Test
  void theTemporaryDirectoryIsTriedFirst() {
    assertThat(NativeFolder.places("/tmp", Map.of("HOME", "/home/me", "TMPDIR", "/scratch")))
        .containsExactly(
            Path.of("/tmp"), Path.of("/scratch"), Path.of("/home/me/.cache"), Path.of("/var/tmp"));
    assertThat(NativeFolder.places("/tmp", Map.of("HOME", "", "TMPDIR", "/tmp/")))
        .containsExactly(Path.of("/tmp"), Path.of("/var/tmp"));
  }

  @Test
  void aPlaceThatCannotBeUsedIsPassedOver() throws IOException {
    Path missing = directory.resolve("missing");
    try (NativeFolder folder = NativeFolder.create(ImmutableSet.of(missing, directory))) {
      assertThat(folder.path()).hasParent(directory).isEmptyDirectory();
      assertThat(Files.getPosixFilePermissions(folder.path()))
          .isEqualTo(PosixFilePermissions.fromString("rwx------"));
      Files.createDirectory(folder.path().resolve("natives"));
      Files.createFile(folder.path().resolve("natives/library.so"));
    }
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void withoutAnyPlaceTheErrorNamesEachWithItsReasonAndTheRemedy() throws IOException {
    Path missing = directory.resolve("missing");
    Path file = Files.createFile(directory.resolve("file"));
    assertThatThrownBy(() -> NativeFolder.create(ImmutableSet.of(missing, file)))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "no directory to unpack it to (%s: no such directory, %s: Not a directory);"
                    .formatted(missing, file)
                + " set INDEXER_JAVA_OPTIONS=-Djava.io.tmpdir=DIR");
  }

  @Test
  void aPlaceWithoutExecutionIsRefused() throws IOException {
    Path place = withoutExecution();
    assertThatThrownBy(() -> NativeFolder.create(ImmutableSet.of(place)))
        .hasMessageContaining(place + ": does not allow execution (noexec)");
  }

  private static Path withoutExecution() throws IOException {
    List<Path> places =
        Files.readAllLines(Path.of("/proc/mounts")).stream()
            .map(line -> line.split(" "))
            .filter(mount -> mount[2].equals("tmpfs"))
            .filter(mount -> List.of(mount[3].split(",")).containsAll(List.of("rw", "noexec")))
            .map(mount -> Path.of(mount[1]))
            .filter(place -> Files.isWritable(place) && place.toFile().getUsableSpace() > 16 << 20)
            .toList();
    assumeTrue(!places.isEmpty(), "no writable tmpfs without execution");
    return places.getFirst();
  }
}
