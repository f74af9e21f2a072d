package io.kmodel.indexer.store;

import java.nio.file.Path;

/** A work directory's name is taken by a directory of somebody else's, which was not touched. */
public final class ForeignDirectoryException extends RefusedOutputException {
  private static final long serialVersionUID = 1L;

  ForeignDirectoryException(Path directory, String why) {
    super(
        directory,
        "is where the program would work, but " + why + "; move it away, or choose another name");
  }
}
