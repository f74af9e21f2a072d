package io.kmodel.indexer.store;

import java.nio.file.FileSystemException;
import java.nio.file.Path;

/** A directory is wanted to work in that somebody else has made; nothing in it was touched. */
public final class ForeignDirectoryException extends FileSystemException {
  private static final long serialVersionUID = 1L;

  ForeignDirectoryException(Path directory, String why) {
    super(
        directory.toString(),
        null,
        "is where the program would work, but " + why + "; move it away, or choose another name");
  }
}
