package io.kmodel.indexer.source.crawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.kmodel.indexer.source.FileListener;
import io.kmodel.indexer.source.Listers;
import io.kmodel.indexer.source.Location;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.list.DirectoryWalk;
import io.kmodel.indexer.source.list.FileList;
import io.kmodel.indexer.source.list.ParallelLister.Limits;
import io.kmodel.indexer.source.list.PathBytes;
import io.kmodel.indexer.store.disk.Directories;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterTry;
import net.jqwik.api.lifecycle.BeforeTry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Walks over trees, whoever lists their directories and however far ahead. */
@Tag("alone")
class CrawlListingTest {
  private static final List<Limits> LIMITS =
      List.of(
          new Limits(0, 1),
          new Limits(1, 1),
          new Limits(2, 7),
          new Limits(8, 100),
          new Limits(8, 1 << 16));

  private static final int DEPTH = 9;

  /** On either side of the slash, and a prefix of others. */
  private static final List<String> NAMES =
      List.of("a", "a-", "a.b", "a0", "b", "-", "0", "~", "é", "zz");

  private Path root = Path.of("");

  /** All that a walk says, in order. */
  private static final class Told implements FileListener {
    final List<String> events = new ArrayList<>();
    Change atFirstFile = () -> {};

    @Override
    public void file(Path below, byte[] path, long size, FileTime modified) throws IOException {
      events.add("%s %d %s".formatted(PathBytes.text(path, path.length), size, modified));
      if (events.size() == 1) {
        atFirstFile.apply();
      }
    }

    void skipped(Location place, SkipReason reason, String detail) {
      events.add("%s: %s, %s".formatted(place, reason, detail));
    }
  }

  private interface Change {
    void apply() throws IOException;
  }

  @BeforeEach
  @BeforeTry
  void makeRoot() throws IOException {
    root = Files.createTempDirectory("listing");
  }

  @AfterEach
  @AfterTry
  void noThreadIsLeft() throws Exception {
    Directories.deleteTree(root);
    Listers.awaitNone();
  }

  @Property(tries = 15)
  void treesAreWalkedInTheOrderOfTheirBytesWhoeverListsThem(@ForAll long seed) throws IOException {
    grow(root, new Random(seed), DEPTH);
    Path hidden = root.resolve("a/b");
    List<String> expected = oracle(hidden);
    for (Limits limits : LIMITS) {
      Told told = new Told();
      walk(root, List.of(hidden, root.resolve("no/zz")), limits, told);
      assertThat(told.events).as("%s", limits).containsExactlyElementsOf(expected);
    }
  }

  @Test
  void aWideTreeIsWalkedInOrder() throws IOException {
    for (int i = 0; i < 700; i++) {
      write("d%d/f%d".formatted(i, i));
    }
    for (Limits limits : LIMITS) {
      Told told = new Told();
      walk(root, List.of(), limits, told);
      assertThat(told.events)
          .as("%s", limits)
          .containsExactlyElementsOf(oracle(root.resolve("none")));
    }
  }

  @Test
  void aDirectoryThatIsRemovedDuringTheWalkIsSkipped() throws IOException {
    checkSkipped(() -> Directories.deleteTree(root.resolve("c")), "no longer exists");
  }

  @Test
  void aDirectoryThatBecomesAFileDuringTheWalkIsSkipped() throws IOException {
    checkSkipped(
        () -> {
          Directories.deleteTree(root.resolve("c"));
          write("c");
        },
        "no longer a directory");
  }

  @Test
  void aDirectoryThatMayNotBeReadAnyMoreIsSkipped() throws IOException {
    assumeFalse("root".equals(System.getProperty("user.name")), "root may read everything");
    checkSkipped(
        () ->
            Files.setPosixFilePermissions(
                root.resolve("c"), PosixFilePermissions.fromString("-wx------")),
        "permission denied");
  }

  /**
   * Directory c changes, which is not listed yet: nobody does so ahead, or b is all there may be.
   */
  private void checkSkipped(Change change, String why) throws IOException {
    for (Limits limits : List.of(new Limits(0, 1), new Limits(1, 1))) {
      Directories.deleteTree(root);
      for (String file : List.of("a", "b/x", "c/y", "d/z")) {
        write(file);
      }
      Told told = new Told();
      told.atFirstFile = change;
      walk(root, List.of(), limits, told);
      assertThat(told.events).hasSize(4);
      assertThat(told.events.get(1)).startsWith("b/x ");
      assertThat(told.events.get(2))
          .isEqualTo(root.resolve("c") + ": UNREADABLE, cannot list directory: " + why);
      assertThat(told.events.get(3)).startsWith("d/z ");
    }
  }

  @Test
  void anExceptionOfTheListenerEndsTheWalk() throws IOException {
    grow(root, new Random(5), DEPTH);
    Told told = new Told();
    told.atFirstFile =
        () -> {
          throw new IOException("no more");
        };
    assertThatThrownBy(() -> walk(root, List.of(), new Limits(8, 100), told))
        .isInstanceOf(IOException.class)
        .hasMessage("no more");
    assertThat(told.events).hasSize(1);
  }

  @Test
  void anInterruptionEndsTheWalkAtTheNextFile() throws IOException {
    for (String file : List.of("a", "b", "c/y", "d/z")) {
      write(file);
    }
    for (Limits limits : LIMITS) {
      Told told = new Told();
      told.atFirstFile = Thread.currentThread()::interrupt;
      assertThatThrownBy(() -> walk(root, List.of(), limits, told))
          .isInstanceOf(InterruptedIOException.class)
          .hasMessageContaining(root.toString());
      assertThat(Thread.interrupted()).isTrue();
      assertThat(told.events).hasSize(1);
    }
  }

  @Test
  void aFileSystemWithoutStreamsRelativeToDirectoriesIsWalkedAlike() throws IOException {
    Path zip = root.resolve("a.zip");
    try (FileSystem files = FileSystems.newFileSystem(zip, Map.of("create", "true"))) {
      for (String name : List.of("b/c/x", "b/c-/y", "a", "b/z")) {
        Path file = files.getPath("/" + name);
        Files.createDirectories(file.resolveSibling("."));
        Files.writeString(file, name);
      }
      Told told = new Told();
      walk(files.getPath("/"), List.of(), new Limits(2, 7), told);
      assertThat(told.events)
          .extracting(event -> event.substring(0, event.indexOf(' ')))
          .containsExactly("a", "b/c-/y", "b/c/x", "b/z");
    }
  }

  private static void walk(Path top, List<Path> hidden, Limits limits, Told told)
      throws IOException {
    FileList.Builder files = new FileList.Builder();
    files.startRoot(top);
    new DirectoryWalk(files, hidden, told::skipped, told, limits).walk(top);
    assertThat(files.build().files())
        .isEqualTo(told.events.stream().filter(event -> !event.contains(": ")).count());
  }

  /** What the walk is to say: all paths, sorted as a whole. */
  private List<String> oracle(Path hidden) throws IOException {
    List<Path> paths;
    try (Stream<Path> all = Files.walk(root)) {
      paths =
          all.filter(path -> !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
              .filter(path -> Files.isSymbolicLink(hidden) || !path.startsWith(hidden))
              .sorted(Comparator.comparing(this::bytes, Arrays::compareUnsigned))
              .toList();
    }
    List<String> events = new ArrayList<>();
    for (Path path : paths) {
      if (Files.isSymbolicLink(path)) {
        events.add(path + ": NOT_A_FILE, symbolic link");
      } else {
        String relative = root.relativize(path).toString();
        events.add(
            "%s %d %s".formatted(relative, Files.size(path), Files.getLastModifiedTime(path)));
      }
    }
    return events;
  }

  private byte[] bytes(Path path) {
    return root.relativize(path).toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Makes a tree: here and there deep, here and there wide, with empty directories and links. */
  private static void grow(Path directory, Random random, int depth) throws IOException {
    Files.createDirectories(directory);
    boolean wide = depth == DEPTH || random.nextInt(8) == 0;
    int names = wide ? 2 * NAMES.size() : random.nextInt(4);
    for (int i = 0; i < names; i++) {
      Path path = directory.resolve(NAMES.get(random.nextInt(NAMES.size())));
      if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
        continue;
      }
      int kind = random.nextInt(10);
      if (kind == 0) {
        // Not to what is in the tree, where a hidden directory would have two names.
        Files.createSymbolicLink(path, directory.getRoot());
      } else if (kind < 6 && depth > 0) {
        grow(path, random, depth - 1);
      } else {
        Files.write(path, new byte[random.nextInt(3)]);
      }
    }
  }

  private void write(String name) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, name);
  }
}
