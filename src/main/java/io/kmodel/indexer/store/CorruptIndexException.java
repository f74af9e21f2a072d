package io.kmodel.indexer.store;

import java.io.IOException;

/**
 * A file of a run or an index does not hold what was written to it: it is truncated, altered, or a
 * different file. The message names the file, the offset if known, and what was expected.
 */
public final class CorruptIndexException extends IOException {
  private static final long serialVersionUID = 1L;

  public CorruptIndexException(String file, String problem) {
    super(file + ": " + problem);
  }

  public CorruptIndexException(String file, String problem, Throwable cause) {
    super(file + ": " + problem, cause);
  }
}
