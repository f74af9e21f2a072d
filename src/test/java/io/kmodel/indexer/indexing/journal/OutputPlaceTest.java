package io.kmodel.indexer.indexing.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.store.disk.StagedOutput;
import io.kmodel.indexer.store.disk.StagedOutput.Replaceable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
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
    StagedOutput place = OutputPlace.of(path, null);
    assertThat(place.output()).isEqualTo(output);
    assertThat(place.work()).isEqualTo(Path.of(output + ".building"));
  }

  @Test
  void aFileIsNeverReplacedAndAnEmptyDirectoryNeedsNoLeave() throws IOException {
    Path output = directory.toRealPath().resolve("index");
    place(null).requireFree();
    Files.createFile(output);
    assertThatThrownBy(() -> place(null).requireFree())
        .isInstanceOf(BuildException.class)
        .hasMessage(output + " exists already; name another output");
    assertThatThrownBy(() -> place(path -> true).requireFree())
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("it is not replaced even with --overwrite");
    Files.delete(output);
    Files.createDirectory(output);
    place(null).requireFree();
    place(path -> false).requireFree();
  }

  @Test
  void aDirectoryWithFilesIsReplacedByWhoMayAndMayReplaceThisOne() throws IOException {
    Path output = directory.toRealPath().resolve("index");
    Files.createFile(Files.createDirectory(output).resolve("file"));
    assertThatThrownBy(() -> place(null).requireFree())
        .isInstanceOf(BuildException.class)
        .hasMessageEndingWith("name another output, or replace it with --overwrite");
    assertThatThrownBy(() -> place(path -> false).requireFree())
        .isInstanceOf(BuildException.class)
        .hasMessageContaining("is not an index, or holds other files besides");
    place(output::equals).requireFree();
  }

  private StagedOutput place(@Nullable Replaceable replaceable) throws IOException {
    return OutputPlace.of(directory.resolve("index"), replaceable);
  }
}
