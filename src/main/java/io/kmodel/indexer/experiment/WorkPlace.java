package io.kmodel.indexer.experiment;

import io.kmodel.indexer.store.Directories;
import io.kmodel.indexer.store.DirectoryLock;
import io.kmodel.indexer.store.ForeignDirectoryException;
import io.kmodel.indexer.store.LockedException;
import io.kmodel.indexer.store.Places;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Set;

/**
 * Where an experiment works: a directory of its own, {@code indexer-experiment}, inside the one
 * that it is given. It is locked while the experiment runs and deleted at the end, as is what one
 * that was killed has left there; whatever else the given directory holds stays as it is.
 *
 * <pre>
 * lock   who is at work (see {@link DirectoryLock})
 * work/  what the experiment makes
 * </pre>
 */
final class WorkPlace implements AutoCloseable {
  static final String NAME = "indexer-experiment";
  private static final String WORK = "work";

  private final Path directory;
  private final DirectoryLock lock;

  private WorkPlace(Path directory, DirectoryLock lock) {
    this.directory = directory;
    this.lock = lock;
  }

  /**
   * Makes the place, empty.
   *
   * @param given what {@code --work} names; made where it is absent
   * @throws IllegalArgumentException if that has no name, or it and the corpus are one, or one
   *     inside the other; nothing was touched
   * @throws NoSuchFileException if the corpus is not there: whatever is started would fail
   * @throws ForeignDirectoryException if what has the name of ours is not ours
   * @throws LockedException if another experiment is at work there
   */
  static WorkPlace take(Path given, Path corpus) throws IOException {
    requireApart(corpus, "--work", given);
    if (!Files.exists(corpus)) {
      throw new NoSuchFileException(
          corpus.toString(), null, "no such directory or file, which --corpus names");
    }
    Path own = given.resolve(NAME);
    WorkPlace place = new WorkPlace(own.resolve(WORK), DirectoryLock.take(own, Set.of(WORK)));
    try {
      Directories.deleteTree(place.directory);
      Files.createDirectory(place.directory);
    } catch (IOException | RuntimeException e) {
      try (place) {
        throw e;
      }
    }
    return place;
  }

  /**
   * Looks that what is written is not what is read.
   *
   * @param option what names the directory
   * @throws IllegalArgumentException if it has no name, or it and the corpus are one, or one inside
   *     the other, links followed
   */
  static void requireApart(Path corpus, String option, Path directory) throws IOException {
    if (directory.toString().isEmpty()) {
      throw new IllegalArgumentException(option + " must name a directory; got an empty path");
    }
    if (Places.meet(corpus, directory)) {
      throw new IllegalArgumentException(
          "%s %s and the corpus %s are one, or one is inside the other; choose another directory"
              .formatted(option, directory, corpus));
    }
  }

  /** The directory for what the experiment makes. */
  Path directory() {
    return directory;
  }

  @Override
  public void close() throws IOException {
    lock.deleteAtClose();
    lock.close();
  }
}
