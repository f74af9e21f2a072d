package io.kmodel.indexer.store.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.faults.OpenDescriptors;
import java.io.IOException;
import java.nio.channels.Pipe;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Places, which may not be there yet: what is inside another, and whether they can be made. */
class PlacesTest {
  @TempDir Path temporary;
  private Path root = Path.of("");

  @BeforeEach
  void findRoot() throws IOException {
    root = temporary.toRealPath();
  }

  @Test
  void placesMeetWhereOneIsInsideTheOther() throws IOException {
    Path inside = root.resolve("a/b");
    assertThat(Places.meet(root.resolve("a"), inside)).isTrue();
    assertThat(Places.meet(inside, root.resolve("a"))).isTrue();
    assertThat(Places.meet(inside, inside)).isTrue();
    assertThat(Places.meet(inside, root.resolve("a/bc"))).isFalse();
    assertThat(Places.meet(inside, root.resolve("a/b/../c"))).isFalse();
  }

  @Test
  void aLinkIsThePlaceItLeadsTo() throws IOException {
    Path real = Files.createDirectory(root.resolve("real"));
    Path link = Files.createSymbolicLink(root.resolve("link"), real);
    assertThat(Places.real(link.resolve("not/there"))).isEqualTo(real.resolve("not/there"));
    assertThat(Places.real(Path.of("/"))).isEqualTo(Path.of("/"));
    assertThat(Places.meet(link.resolve("not"), real)).isTrue();
    assertThat(Places.meet(link, root.resolve("other"))).isFalse();
  }

  @Test
  void dotsBehindALinkLeadWhereTheSystemGoes() throws IOException {
    Path deep = Files.createDirectories(root.resolve("other/deep"));
    Path link = Files.createSymbolicLink(root.resolve("link"), deep);
    assertThat(Places.real(link.resolve("../new"))).isEqualTo(root.resolve("other/new"));
    assertThat(Places.realAbove(link.resolve("../new"))).isEqualTo(root.resolve("other/new"));
    assertThat(Places.realAbove(link)).isEqualTo(link);
    assertThat(Places.realAbove(link.resolve("."))).isEqualTo(deep);
    assertThat(Places.realAbove(Path.of("/"))).isEqualTo(Path.of("/"));
    assertThat(Places.real(root.resolve("none/../link/new"))).isEqualTo(deep.resolve("new"));
    assertThat(Places.real(root.resolve("none/./../link/./new"))).isEqualTo(deep.resolve("new"));
    assertThat(Places.real(root.resolve("none/no/../../link"))).isEqualTo(deep);
    assertThat(Places.real(root.resolve("none/no/../x"))).isEqualTo(root.resolve("none/x"));
    assertThat(Places.real(root.resolve("none/.."))).isEqualTo(root);
    assertThat(Places.real(root.resolve("none/../link/../new")))
        .isEqualTo(root.resolve("other/new"));
    assertThat(Places.meet(link.resolve("../new"), root.resolve("other"))).isTrue();
    assertThat(Places.meet(link.resolve("../new"), root.resolve("new"))).isFalse();
  }

  /** As standard output is in a pipe: the system says what it is, and that is no path. */
  @Test
  void aPipeThatTheProcessHasOpenIsAPlaceOfItsOwn() throws IOException {
    Pipe pipe = Pipe.open();
    try (Pipe.SourceChannel source = pipe.source();
        Pipe.SinkChannel sink = pipe.sink()) {
      Path descriptor = OpenDescriptors.ofPipe();
      assertThat(Places.real(descriptor)).isEqualTo(descriptor);
      assertThat(Places.meet(descriptor, root)).isFalse();
      assertThat(source.isOpen() && sink.isOpen()).isTrue();
    }
  }

  @Test
  void whatIsMissingAboveAPathIsNoObstacleAndIsNotMade() throws IOException {
    for (String path : new String[] {"file", "a/file", "a/b/c/file", "a/../file"}) {
      Places.requireMakable(root.resolve(path));
      Places.tryMaking(root.resolve(path));
    }
    assertThat(root).isEmptyDirectory();
  }

  @Test
  void nothingIsMadeInAFileOrBehindALinkToNothing() throws IOException {
    Files.createFile(root.resolve("file"));
    Files.createSymbolicLink(root.resolve("link"), root.resolve("nowhere"));
    for (String above : new String[] {"file", "link"}) {
      for (String path : new String[] {above + "/x", above + "/a/b/x"}) {
        Path made = root.resolve(path);
        assertThatThrownBy(() -> Places.requireMakable(made))
            .isInstanceOf(FileSystemException.class)
            .hasMessage("%s: %s is not a directory".formatted(made, root.resolve(above)));
        assertThatThrownBy(() -> Places.tryMaking(made)).hasMessageEndingWith("is not a directory");
      }
    }
    Places.tryMaking(root.resolve("file"));
    assertThat(root.resolve("file")).isEmptyFile();
  }

  @Test
  void theRootOfAFileSystemIsNotMade() {
    assertThatThrownBy(() -> Places.requireMakable(Path.of("/")))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("no parent directory above");
  }
}
