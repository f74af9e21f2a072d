package io.kmodel.indexer.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Of places one of which may be inside another, and may not be there yet. */
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
}
