package io.kmodel.indexer.api;

import java.io.IOException;

/** An index cannot be built, opened or exported; the message says why. */
public sealed class IndexException extends IOException permits DamagedIndexException {
  private static final long serialVersionUID = 1L;

  IndexException(String message, Throwable cause) {
    super(message, cause);
  }
}
