package io.kmodel.indexer.experiment;

import io.kmodel.indexer.store.disk.Directories;
import io.kmodel.indexer.store.disk.DirectoryLock;
import io.kmodel.indexer.store.disk.ForeignDirectoryException;
import io.kmodel.indexer.store.disk.LockedException;
import io.kmodel.indexer.store.disk.Places;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Set;

/**
 * The work directory of an experiment, {@code indexer-experiment} within a given directory. It is
 * locked while the experiment runs and deleted at its end; remains of a killed experiment are
 * deleted at the start. Anything else in the given directory is left alone.
 *
 * <pre>
 * lock   names the process at work (see {@link DirectoryLock})
 * work/  the experiment's files
 * </pre>
 */
public final class WorkPlace implements AutoCloseable {
  static final String NAME = "indexer-experiment";
  private static final String WORK = "work";

  private final Path directory;
  private final DirectoryLock lock;

  private WorkPlace(Path directory, DirectoryLock lock) {
    this.directory = directory;
    this.lock = lock;
  }

  /**
   * Creates the empty work directory.
   *
   * @param given the directory given by {@code --work}; created if it does not exist
   * @throws IllegalArgumentException if the path is empty or overlaps the corpus; nothing was
   *     changed
   * @throws NoSuchFileException if the corpus does not exist, which would make every process fail
   * @throws ForeignDirectoryException if another program created a directory of the same name
   * @throws LockedException if another experiment is running there
   */
  public static WorkPlace take(Path given, Path corpus) throws IOException {
    requireApart(corpus, "--work", given);
    if (!Files.exists(corpus)) {
      throw new NoSuchFileException(
          corpus.toString(), null, "no such file or directory (given by --corpus)");
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
   * Checks that output is not written into the input, or vice versa.
   *
   * @param option the option that names the directory
   * @throws IllegalArgumentException if the path is empty, or it and the corpus are equal or one
   *     contains the other, after following links
   */
  static void requireApart(Path corpus, String option, Path directory) throws IOException {
    if (directory.toString().isEmpty()) {
      throw new IllegalArgumentException(option + " must name a directory; got an empty path");
    }
    if (Places.meet(corpus, directory)) {
      throw new IllegalArgumentException(
          "%s %s and the corpus %s overlap; choose another directory"
              .formatted(option, directory, corpus));
    }
  }

  /** The directory for the experiment's files. */
  public Path directory() {
    return directory;
  }

  @Override
  public void close() throws IOException {
    lock.deleteAtClose();
    lock.close();
  }
}
