package io.kmodel.indexer.store;

import java.io.IOException;

/**
 * A file of a run or an index does not hold what was written to it: truncated, altered, or not the
 * file it says it is. The message names the file, the offset where known, and what was expected.
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
