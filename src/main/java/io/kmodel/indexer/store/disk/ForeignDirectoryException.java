package io.kmodel.indexer.store.disk;

import java.nio.file.Path;

/** A directory needed for work was created by another program; nothing in it was changed. */
public final class ForeignDirectoryException extends RefusedOutputException {
  private static final long serialVersionUID = 1L;

  ForeignDirectoryException(Path directory, String why) {
    super(
        directory,
        "cannot be used as a work directory, since "
            + why
            + "; move it away or choose another name");
  }
}
