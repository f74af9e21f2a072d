package io.kmodel.indexer.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which place a path names, and what may be there; what builds do there is tested by them. */
class OutputPlaceTest {
  @TempDir Path directory;

  @Test
  void aPlaceHasNeitherDotsNorLinksWhetherItIsThereOrNot() throws IOException {
    Path real = directory.toRealPath();
    Path there = Files.createDirectory(real.resolve("there"));
    Path link = Files.createSymbolicLink(real.resolve("link"), there);
    assertPlace(real.resolve("there/../new"), real.resolve("new"));
    assertPlace(real.resolve("new/."), real.resolve("new"));
    assertPlace(real.resolve("link/../there"), there);
    assertPlace(link, there);
    Path deep = Files.createDirectories(real.resolve("other/deep"));
    Path away = Files.createSymbolicLink(real.resolve("away"), deep);
    assertPlace(away.resolve("../new"), real.resolve("other/new"));
    assertPlace(away.resolve("missing/../../new"), real.resolve("other/new"));
    assertPlace(there, there);
  }

  private static void assertPlace(Path path, Path output) throws IOException {
    OutputPlace place = OutputPlace.of(path);
    assertThat(place.output()).isEqualTo(output);
    assertThat(place.work()).isEqualTo(Path.of(output + ".building"));
  }

  @Test
  void aFileIsNeverReplacedAndAnEmptyDirectoryNeedsNoLeave() throws IOException {
    OutputPlace place = OutputPlace.of(directory.resolve("index"));
    place.requireFree(place.output(), null);
    Files.createFile(place.output());
    assertThatThrownBy(() -> place.requireFree(place.output(), null))
        .isInstanceOf(BuildException.class)
        .hasMessage(place.output() + " exists already; name another output");
    assertThatThrownBy(() -> place.requireFree(place.output(), path -> true))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("it is not replaced even with --overwrite");
    Files.delete(place.output());
    Files.createDirectory(place.output());
    place.requireFree(place.output(), null);
    place.requireFree(place.output(), path -> false);
  }

  @Test
  void aDirectoryWithFilesIsReplacedByWhoMayAndMayReplaceThisOne() throws IOException {
    OutputPlace place = OutputPlace.of(directory.resolve("index"));
    Files.createFile(Files.createDirectory(place.output()).resolve("file"));
    assertThatThrownBy(() -> place.requireFree(place.output(), null))
        .isInstanceOf(BuildException.class)
        .hasMessageEndingWith("name another output, or replace it with --overwrite");
    assertThatThrownBy(() -> place.requireFree(place.output(), path -> false))
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("is not an index, or holds other files besides");
    place.requireFree(place.output(), place.output()::equals);
    place.requireUnmounted();
  }
}
