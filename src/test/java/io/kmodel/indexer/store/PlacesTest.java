package io.kmodel.indexer.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether something can be made is known before it is made. */
class PlacesTest {
  @TempDir Path directory;

  @Test
  void whatIsMissingAboveAPathIsNoObstacleAndIsNotMade() throws IOException {
    for (String path : new String[] {"file", "a/file", "a/b/c/file", "a/../file"}) {
      Places.requireMakable(directory.resolve(path));
      Places.tryMaking(directory.resolve(path));
    }
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void nothingIsMadeInAFileOrBehindALinkToNothing() throws IOException {
    Files.createFile(directory.resolve("file"));
    Files.createSymbolicLink(directory.resolve("link"), directory.resolve("nowhere"));
    for (String above : new String[] {"file", "link"}) {
      for (String path : new String[] {above + "/x", above + "/a/b/x"}) {
        Path made = directory.resolve(path);
        assertThatThrownBy(() -> Places.requireMakable(made))
            .isInstanceOf(FileSystemException.class)
            .hasMessage("%s: %s is no directory".formatted(made, directory.resolve(above)));
        assertThatThrownBy(() -> Places.tryMaking(made)).hasMessageEndingWith("is no directory");
      }
    }
    Places.tryMaking(directory.resolve("file"));
    assertThat(directory.resolve("file")).isEmptyFile();
  }

  @Test
  void theRootOfAFileSystemIsNotMade() {
    assertThatThrownBy(() -> Places.requireMakable(Path.of("/")))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("nothing is above");
  }
}
