package io.kmodel.indexer.build;

import java.io.IOException;

/** Documents have the same id, and were to be refused for that; going on would not help. */
final class DuplicateIdException extends IOException {
  private static final long serialVersionUID = 1L;

  DuplicateIdException(String message) {
    super(message);
  }
}
