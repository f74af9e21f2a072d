package io.kmodel.indexer.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.store.disk.ForeignDirectoryException;
import io.kmodel.indexer.store.disk.LockedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An experiment deletes what experiments have made, and nothing else. */
class WorkPlaceTest {
  @TempDir Path directory;
  private Path corpus;

  @BeforeEach
  void makeACorpus() throws IOException {
    corpus = Files.createDirectory(directory.resolve("corpus"));
    Files.writeString(corpus.resolve("a.html"), "a page");
  }

  @Test
  void whatTheGivenDirectoryHoldsStays() throws IOException {
    Path given = Files.createDirectory(directory.resolve("given"));
    Files.writeString(given.resolve("thesis.txt"), "the only copy");
    Files.createDirectory(given.resolve("work"));
    try (WorkPlace place = WorkPlace.take(given, corpus)) {
      Files.createDirectory(place.directory().resolve("index"));
      Files.writeString(place.directory().resolve("index/terms"), "a b c");
    }
    assertThat(given)
        .isDirectoryNotContaining(file -> file.endsWith(WorkPlace.NAME))
        .isDirectoryContaining(file -> file.endsWith("work"));
    assertThat(given.resolve("thesis.txt")).hasContent("the only copy");
  }

  @Test
  void theCorpusIsNoPlaceToWorkNorIsWhatHoldsItOrIsInIt() throws IOException {
    Path link = Files.createSymbolicLink(directory.resolve("link"), corpus);
    for (Path given :
        new Path[] {
          corpus,
          directory,
          corpus.resolve("a/b"),
          link,
          link.resolve("a"),
          directory.resolve("x/../corpus"),
          corpus.resolve("a.html")
        }) {
      assertThatThrownBy(() -> WorkPlace.take(given, corpus))
          .as("%s", given)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith(
              "--work " + given + " and the corpus " + corpus + " overlap; choose");
      assertThatThrownBy(() -> WorkPlace.take(given, link))
          .as("%s", given)
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(corpus).isDirectoryNotContaining(file -> !file.endsWith("a.html"));
    assertThat(corpus.resolve("a.html")).hasContent("a page");
  }

  @Test
  void aCorpusThatIsNotThereIsToldBeforeAnythingIsMade() {
    Path given = directory.resolve("given");
    Path missing = directory.resolve("missing");
    assertThatThrownBy(() -> WorkPlace.take(given, missing))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessage(missing + ": no such file or directory (given by --corpus)");
    assertThat(given).doesNotExist();
  }

  @Test
  void aWorkThatHasNoNameIsRefused() {
    assertThatThrownBy(() -> WorkPlace.take(Path.of(""), corpus))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("--work must name a directory; got an empty path");
  }

  @Test
  void whatAnExperimentThatWasKilledHasLeftIsDeleted() throws IOException {
    Path own = directory.resolve("given").resolve(WorkPlace.NAME);
    Files.createDirectories(own.resolve("work/index"));
    Files.writeString(own.resolve("lock"), "process 1 on x, since then\n");
    try (WorkPlace place = WorkPlace.take(directory.resolve("given"), corpus)) {
      assertThat(place.directory()).isEmptyDirectory();
    }
    assertThat(own).doesNotExist();
  }

  @Test
  void whatOnlyHasItsNameStays() throws IOException {
    Path own = Files.createDirectories(directory.resolve("given").resolve(WorkPlace.NAME));
    Files.createDirectory(own.resolve("work"));
    Files.writeString(own.resolve("work/thesis.txt"), "the only copy");
    assertThatThrownBy(() -> WorkPlace.take(directory.resolve("given"), corpus))
        .isInstanceOf(ForeignDirectoryException.class);
    assertThat(own.resolve("work/thesis.txt")).hasContent("the only copy");
    Path linked = Files.createDirectory(directory.resolve("linked"));
    Files.createSymbolicLink(linked.resolve(WorkPlace.NAME), own);
    assertThatThrownBy(() -> WorkPlace.take(linked, corpus))
        .isInstanceOf(ForeignDirectoryException.class);
  }

  @Test
  void twoExperimentsDoNotDeleteEachOthersWork() throws IOException {
    Path given = directory.resolve("given");
    try (WorkPlace place = WorkPlace.take(given, corpus)) {
      assertThatThrownBy(() -> WorkPlace.take(given, corpus)).isInstanceOf(LockedException.class);
      assertThat(place.directory()).isDirectory();
    }
  }
}
