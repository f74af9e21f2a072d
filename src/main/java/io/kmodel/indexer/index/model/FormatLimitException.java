package io.kmodel.indexer.index.model;

/** The index exceeds a limit of another format. The message names both and the limit. */
public final class FormatLimitException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public FormatLimitException(String message) {
    super(message);
  }
}
