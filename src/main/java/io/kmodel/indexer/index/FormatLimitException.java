package io.kmodel.indexer.index;

/** An index has what another format cannot hold. The message names both, and the limit. */
public final class FormatLimitException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public FormatLimitException(String message) {
    super(message);
  }
}
