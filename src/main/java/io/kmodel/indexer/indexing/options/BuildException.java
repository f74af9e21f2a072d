package io.kmodel.indexer.indexing.options;


/** A build cannot start or go on, for a reason that its user can mend; the message says how. */
public final class BuildException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public BuildException(String message) {
    super(message);
  }
}
