package io.kmodel.indexer.indexing.options;

import java.io.IOException;

/** Documents have the same id, and duplicates are errors; resuming would fail again. */
public final class DuplicateIdException extends IOException {
  private static final long serialVersionUID = 1L;

  public DuplicateIdException(String message) {
    super(message);
  }
}
