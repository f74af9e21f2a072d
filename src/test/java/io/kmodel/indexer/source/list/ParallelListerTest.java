package io.kmodel.indexer.source.list;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.source.Listers;
import io.kmodel.indexer.source.list.ParallelLister.Limits;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who lists which directory, and how far ahead of the walk. */
@Tag("alone")
class ParallelListerTest {
  @TempDir Path root;

  @AfterEach
  void noThreadIsLeft() throws Exception {
    Listers.awaitNone();
  }

  @Test
  void anInterruptionEndsTheWaitForADirectoryThatIsBeingListed() throws Exception {
    write("c/y");
    DirectoryEntry.Directory directory = DirectoryEntry.Directory.root(root);
    directory.begun = true;
    try (ParallelLister ahead = new ParallelLister(any -> false, new Limits(1, 1))) {
      List<Throwable> thrown = new ArrayList<>();
      Thread walker =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      ahead.entries(directory);
                    } catch (IOException e) {
                      thrown.add(e);
                    }
                  });
      await(walker, Thread.State.WAITING);
      walker.interrupt();
      walker.join(20_000);
      assertThat(thrown).singleElement().isInstanceOf(InterruptedIOException.class);
    }
  }

  @Test
  void noMoreEntriesAreHeldThanTheLimitAndListersWaitForRoom() throws Exception {
    for (int i = 0; i < 100; i++) {
      write("d%02d/e/f".formatted(i));
      write("d%02d/g".formatted(i));
    }
    try (ParallelLister ahead = new ParallelLister(any -> false, new Limits(2, 16))) {
      List<DirectoryEntry> level = ahead.entries(DirectoryEntry.Directory.root(root));
      assertThat(level).hasSize(100);
      awaitHeld(ahead, 16);
      // A directory counts itself, too; and the other thread had begun one when the limit came.
      assertThat(ahead.held()).isBetween(16L, 16L + 2 + 3);
      for (DirectoryEntry entry : level) {
        List<DirectoryEntry> below = ahead.entries((DirectoryEntry.Directory) entry);
        assertThat(below).extracting(e -> e.path.length).containsExactly(6, 5);
        assertThat(ahead.entries((DirectoryEntry.Directory) below.get(0))).hasSize(1);
        assertThat(ahead.held()).isLessThanOrEqualTo(16L + 2 + 3);
      }
      assertThat(ahead.held()).isZero();
    }
  }

  /** Threads take several at once, and give back what comes after a large one. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void manySmallDirectoriesAndSomeLargeOnesAreListedInOrder(int threads) throws Exception {
    List<Integer> sizes = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      int files = i % 40 == 7 ? 300 : i % 3;
      sizes.add(files);
      Files.createDirectories(root.resolve("d%03d".formatted(i)));
      for (int file = 0; file < files; file++) {
        write("d%03d/%03d".formatted(i, file));
      }
    }
    for (int round = 0; round < 10; round++) {
      try (ParallelLister ahead = new ParallelLister(any -> false, new Limits(threads, 1 << 16))) {
        List<Integer> listed = new ArrayList<>();
        for (DirectoryEntry entry : ahead.entries(DirectoryEntry.Directory.root(root))) {
          List<DirectoryEntry> below = ahead.entries((DirectoryEntry.Directory) entry);
          assertThat(below).isSortedAccordingTo(DirectoryEntry.ORDER);
          listed.add(below.size());
        }
        assertThat(listed).isEqualTo(sizes);
        assertThat(ahead.held()).isZero();
      }
    }
  }

  @Test
  void directoriesThatMayBePassedOverAreNotListedAhead() throws Exception {
    write("d/e/f");
    write("x/e/f");
    try (ParallelLister ahead =
        new ParallelLister(directory -> directory.place.endsWith("x"), new Limits(2, 1 << 16))) {
      ahead.entries(DirectoryEntry.Directory.root(root));
      awaitHeld(ahead, 4);
      // Directory d with one entry, and e with one.
      assertThat(ahead.held()).isEqualTo(4);
    }
  }

  /** The walking thread finds but one directory here: those that list must call the others. */
  @Test
  void asManyThreadsListAsThereAreDirectoriesFurtherDown() throws Exception {
    for (char name = 'a'; name < 'k'; name++) {
      write("one/deep/" + name + "/f");
    }
    try (ParallelLister ahead = new ParallelLister(any -> false, new Limits(4, 1 << 16))) {
      ahead.entries(DirectoryEntry.Directory.root(root));
      awaitHeld(ahead, 2 + 11 + 10 * 2);
      assertThat(Listers.running()).hasSize(4);
    }
  }

  @Test
  void aMistakeOfOursInAListerEndsTheWalk() throws Exception {
    write("d/e/f");
    write("x/e/f");
    ParallelLister ahead =
        new ParallelLister(
            directory -> {
              if (directory.place.endsWith("e")) {
                throw new IllegalArgumentException("for the test");
              }
              return false;
            },
            new Limits(1, 1 << 16));
    try (ahead) {
      List<DirectoryEntry> level = ahead.entries(DirectoryEntry.Directory.root(root));
      for (Thread lister : Listers.running()) {
        await(lister, Thread.State.TERMINATED);
      }
      assertThatThrownBy(() -> ahead.entries((DirectoryEntry.Directory) level.get(1)))
          .isInstanceOf(IllegalStateException.class)
          .hasRootCauseMessage("for the test");
    }
  }

  private void write(String name) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, name);
  }

  /** Until so many entries are held, and all threads have stopped. */
  private static void awaitHeld(ParallelLister ahead, long entries) throws InterruptedException {
    long deadline = System.nanoTime() + 20_000_000_000L;
    while (ahead.held() < entries && System.nanoTime() < deadline) {
      Thread.sleep(1);
    }
    for (Thread lister : Listers.running()) {
      await(lister, Thread.State.WAITING);
    }
  }

  private static void await(Thread thread, Thread.State state) throws InterruptedException {
    long deadline = System.nanoTime() + 20_000_000_000L;
    while (thread.getState() != state && System.nanoTime() < deadline) {
      Thread.sleep(1);
    }
    assertThat(thread.getState()).isEqualTo(state);
  }
}
