package io.kmodel.indexer.indexing.options;

/** A build cannot start or continue for a reason that the user can fix; the message says how. */
public final class BuildException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public BuildException(String message) {
    super(message);
  }
}
