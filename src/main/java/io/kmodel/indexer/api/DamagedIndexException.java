package io.kmodel.indexer.api;

/**
 * A file of an index is truncated or altered, or belongs to another index; the message names it and
 * the place.
 */
public final class DamagedIndexException extends IndexException {
  private static final long serialVersionUID = 1L;

  DamagedIndexException(String message, Throwable cause) {
    super(message, cause);
  }
}
