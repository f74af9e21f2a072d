package io.kmodel.indexer.store.disk;

import java.nio.file.FileSystemException;
import java.nio.file.Path;

/**
 * An output cannot be made under its name; nothing was changed, and the message says what to do.
 */
public class RefusedOutputException extends FileSystemException {
  private static final long serialVersionUID = 1L;

  RefusedOutputException(Path path, String reason) {
    super(path.toString(), null, reason);
  }
}
