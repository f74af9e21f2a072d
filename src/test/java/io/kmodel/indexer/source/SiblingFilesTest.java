package io.kmodel.indexer.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.primitives.Bytes;
import io.kmodel.indexer.faults.OpenDescriptors;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SiblingFilesTest {
  /** More in a row than are opened by their paths. */
  private static final int MANY = 9;

  /** Linux has a link there for each open file. */
  @TempDir Path temporary;

  /** Before all directories of the tests: they have changed since the files were listed. */
  private static final long LONG_AGO = 0;

  private Path root;
  private final SiblingFiles files = new SiblingFiles(LONG_AGO);

  @BeforeEach
  void makeRoot() throws IOException {
    root = Files.createDirectory(temporary.resolve("root")).toRealPath();
  }

  @AfterEach
  void close() throws IOException {
    files.close();
  }

  @Test
  void filesOfAnyDirectoriesAreThoseOfTheirPaths() throws IOException {
    List<String> paths = new ArrayList<>();
    for (String directory : List.of("", "a/", "a/b/", "a/bc/", "b/")) {
      for (int i = 0; i < MANY; i++) {
        paths.add(directory + i);
      }
    }
    // Names that differ from a directory's in one byte or are a part of one, and others in between.
    paths.addAll(List.of("c/0", "d/0", "c/1", "c/2", "cc/0", "cc/1", "c/3", "c/4", "c/5", "c/6"));
    for (String path : paths) {
      write(path);
    }
    for (String path : paths) {
      assertThat(read(path)).isEqualTo(path);
    }
    for (String path : paths.reversed()) {
      assertThat(read(path)).isEqualTo(path);
    }
  }

  @Test
  void theSamePathsBelowTwoRootsAreTwoFiles() throws IOException {
    Path other = Files.createDirectory(temporary.resolve("other"));
    for (int i = 0; i < MANY; i++) {
      write("a/" + i);
      Files.createDirectories(other.resolve("a"));
      Files.writeString(other.resolve("a/" + i), "other");
    }
    for (int i = 0; i < MANY; i++) {
      assertThat(read("a/" + i)).isEqualTo("a/" + i);
    }
    assertThat(read(other, "a/8")).isEqualTo("other");
    assertThat(read("a/8")).isEqualTo("a/8");
  }

  @Test
  void manyInARowAreOpenedWithoutTheirPaths() throws IOException {
    assumeTrue(hasOpenDirectories(), "directories cannot be kept open here");
    for (int i = 0; i < MANY; i++) {
      write("a/b/" + i);
    }
    for (int i = 0; i < MANY - 1; i++) {
      read("a/b/" + i);
    }
    Files.move(root.resolve("a"), root.resolve("moved"));
    assertThat(read("a/b/8")).isEqualTo("a/b/8");
    files.close();
    assertThatThrownBy(() -> read("a/b/8")).isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void oneDirectoryIsOpenAtATimeAndNoneInTheEnd() throws IOException {
    assumeTrue(hasOpenDirectories());
    for (String directory : List.of("a/", "b/", "c/")) {
      for (int i = 0; i < MANY; i++) {
        write(directory + i);
        read(directory + i);
      }
      assertThat(OpenDescriptors.below(root)).hasSize(2).containsOnly(root.resolve(directory));
    }
    write("d");
    read("d");
    assertThat(OpenDescriptors.below(root)).isEmpty();
  }

  @Test
  void aReaderThatIsClosedHasNoDirectoryOpen() throws Exception {
    assumeTrue(hasOpenDirectories());
    for (int i = 0; i < MANY; i++) {
      write("a/" + i);
    }
    Crawl crawl = Crawl.open(List.of(root), 1000, SkipListener.NONE);
    for (int read : new int[] {MANY - 1, MANY, MANY + 1}) {
      try (DocumentReader reader =
          crawl.splits(Long.MAX_VALUE).getFirst().open(SkipListener.NONE)) {
        for (int i = 0; i < read; i++) {
          assertThat(reader.next() != null).isEqualTo(i < MANY);
        }
        assertThat(OpenDescriptors.below(root)).isNotEmpty();
      }
      assertThat(OpenDescriptors.below(root)).isEmpty();
    }
  }

  @Test
  void namesThatNoStringCarriesAreOpened() throws IOException {
    for (String name : List.of("%25", "%C3%A9", "%EF%BF%BD", "%FE%20")) {
      for (int i = 0; i < MANY; i++) {
        write("a/" + i);
        read("a/" + i);
      }
      Path odd = Path.of(URI.create(root.toUri() + "a/" + name));
      Files.writeString(odd, name);
      byte[] path = Bytes.concat("a/".getBytes(UTF_8), PathBytes.nameOf(odd));
      assertThat(read(root, path)).isEqualTo(name);
    }
  }

  @Test
  void whatIsNoRegularFileAnyMoreIsAnErrorWithItsWholePath() throws Exception {
    for (int i = 0; i < MANY; i++) {
      write("a/" + i);
    }
    for (int i = 0; i < MANY - 3; i++) {
      read("a/" + i);
    }
    Files.delete(root.resolve("a/6"));
    Files.delete(root.resolve("a/7"));
    Files.createSymbolicLink(root.resolve("a/7"), root.resolve("a/8"));
    assertThatThrownBy(() -> read("a/6"))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessage(root + "/a/6");
    assertThatThrownBy(() -> read("a/7")).hasMessage("no regular file any more");
    assertThat(read("a/8")).isEqualTo("a/8");
  }

  @Test
  void whatHasBecomeAPipeIsNotWaitedFor() throws Exception {
    // That nobody else closes: it would wait for whoever waits.
    SiblingFiles own = new SiblingFiles(LONG_AGO);
    for (int i = 0; i < MANY; i++) {
      write("a/" + i);
    }
    for (int i = 0; i < MANY - 1; i++) {
      open(own, "a/" + i).close();
    }
    Files.delete(root.resolve("a/8"));
    Pipes.make(root.resolve("a/8"));
    Pipes.make(root.resolve("b"));
    assertTimeoutPreemptively(
        Duration.ofSeconds(30),
        () -> {
          assertThatThrownBy(() -> open(own, "a/8")).hasMessage("no regular file any more");
          for (int i = 0; i < MANY; i++) {
            String inPipe = "b/" + i;
            assertThatThrownBy(() -> open(own, inPipe)).isInstanceOf(FileSystemException.class);
          }
        });
    own.close();
  }

  /** Listed ten seconds after they were made, as far as anybody knows. */
  @Test
  void namesInADirectoryThatHasNotChangedSinceTheyWereListedAreStillRegularFiles()
      throws Exception {
    assumeTrue(hasOpenDirectories() && hasTimesOfChange());
    for (int i = 0; i < MANY; i++) {
      write("a/" + i);
    }
    // Nobody could see that this is no longer what was listed, unless each name was asked for.
    Files.delete(root.resolve("a/8"));
    Files.createDirectory(root.resolve("a/8"));
    try (SiblingFiles asking = new SiblingFiles(changed("a"));
        SiblingFiles believing = new SiblingFiles(changed("a") + 10_000)) {
      for (int i = 0; i < MANY - 1; i++) {
        open(asking, "a/" + i).close();
        open(believing, "a/" + i).close();
      }
      assertThatThrownBy(() -> open(asking, "a/8")).hasMessage("no regular file any more");
      // Opened as a file, which Java can do with a directory, too; it cannot be read.
      try (FileChannel directory = open(believing, "a/8")) {
        assertThatThrownBy(() -> directory.read(ByteBuffer.allocate(1)))
            .hasMessageContaining("directory");
      }
    }
  }

  /** Where it has changed since it was come to, and where its time was set back. */
  @Test
  void aDirectoryThatHasChangedIsNotBelieved() throws Exception {
    assumeTrue(hasOpenDirectories() && hasTimesOfChange());
    for (int i = 0; i < MANY; i++) {
      write("a/" + i);
    }
    long first = changed("a");
    // Nobody else closes them: whoever does would wait for who opens a pipe.
    SiblingFiles come = new SiblingFiles(first + 60_000);
    for (int i = 0; i < MANY - 1; i++) {
      open(come, "a/" + i).close();
    }
    // Times of change have steps.
    while (changed("a") == first) {
      Files.deleteIfExists(root.resolve("a/8"));
      Pipes.make(root.resolve("a/8"));
      Thread.sleep(1);
    }
    Files.setLastModifiedTime(
        root.resolve("a"), FileTime.fromMillis(first - Duration.ofDays(1).toMillis()));
    SiblingFiles setBack = new SiblingFiles(first);
    for (int i = 0; i < MANY - 1; i++) {
      open(setBack, "a/" + i).close();
    }
    // By now it is asked for again whether the directory has changed.
    Thread.sleep(50);
    assertTimeoutPreemptively(
        Duration.ofSeconds(30),
        () -> {
          for (SiblingFiles own : List.of(come, setBack)) {
            assertThatThrownBy(() -> open(own, "a/8")).hasMessage("no regular file any more");
          }
        });
    come.close();
    setBack.close();
  }

  @Test
  void aDirectoryThatWasReplacedIsReadByItsPath() throws IOException {
    for (int i = 0; i < MANY; i++) {
      write("a/" + i);
      read("a/" + i);
    }
    for (int i = 0; i < MANY; i++) {
      Files.delete(root.resolve("a/" + i));
    }
    Files.delete(root.resolve("a"));
    write("a/new");
    assertThat(read("a/new")).isEqualTo("a/new");
    Files.delete(root.resolve("a/new"));
    Files.delete(root.resolve("a"));
    assertThatThrownBy(() -> read("a/new")).isInstanceOf(FileSystemException.class);
  }

  private boolean hasTimesOfChange() {
    return root.getFileSystem().supportedFileAttributeViews().contains("unix");
  }

  private long changed(String directory) throws IOException {
    return ((FileTime) Files.getAttribute(root.resolve(directory), "unix:ctime")).toMillis();
  }

  private boolean hasOpenDirectories() throws IOException {
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(root)) {
      return stream instanceof SecureDirectoryStream;
    }
  }

  private void write(String path) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, path);
  }

  private String read(String path) throws IOException {
    return read(root, path);
  }

  private String read(Path below, String path) throws IOException {
    return read(below, path.getBytes(UTF_8));
  }

  private String read(Path below, byte[] path) throws IOException {
    try (FileChannel channel = open(files, below, path)) {
      return new String(Channels.newInputStream(channel).readAllBytes(), UTF_8);
    }
  }

  private FileChannel open(SiblingFiles from, String path) throws IOException {
    return open(from, root, path.getBytes(UTF_8));
  }

  /** By a longer array, as the list of files has it. */
  private static FileChannel open(SiblingFiles files, Path below, byte[] path) throws IOException {
    return files.open(below, Bytes.concat(path, "/more".getBytes(UTF_8)), path.length);
  }
}
