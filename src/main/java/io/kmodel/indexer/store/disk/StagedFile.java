package io.kmodel.indexer.store.disk;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Describes exported files that appear when they are complete. */
public final class StagedFile {
  private StagedFile() {}

  /**
   * A file in a directory that is there.
   *
   * @param overwrite whether an existing file may be replaced
   */
  public static StagedOutput of(Path file, boolean overwrite) {
    return new StagedOutput(
        file,
        file,
        StagedOutput.Names.EXPORT,
        there -> {
          requireFree(there, overwrite);
          requireDirectory(file);
        });
  }

  private static void requireFree(Path target, boolean overwrite) throws IOException {
    if (!Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    if (!Files.isRegularFile(target, LinkOption.NOFOLLOW_LINKS)) {
      throw new FileAlreadyExistsException(
          target.toString(), null, "exists and is not a regular file, so it cannot be replaced");
    }
    if (!overwrite) {
      throw new FileAlreadyExistsException(
          target.toString(), null, "exists already; replace it with --overwrite");
    }
  }

  /** Checks this first, because taking the lock would create a missing directory and keep it. */
  private static void requireDirectory(Path target) throws NoSuchFileException {
    Path directory = target.toAbsolutePath().getParent();
    if (directory != null && !Files.isDirectory(directory)) {
      throw new NoSuchFileException(
          directory.toString(), null, "no such directory to export %s into".formatted(target));
    }
  }
}
