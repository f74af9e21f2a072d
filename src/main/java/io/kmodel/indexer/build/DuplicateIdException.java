package io.kmodel.indexer.build;

import java.io.IOException;

/** Documents have the same id, and duplicates are errors; resuming would fail again. */
final class DuplicateIdException extends IOException {
  private static final long serialVersionUID = 1L;

  DuplicateIdException(String message) {
    super(message);
  }
}
