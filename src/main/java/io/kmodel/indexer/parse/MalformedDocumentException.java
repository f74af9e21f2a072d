package io.kmodel.indexer.parse;

/** A document that cannot be parsed or analyzed. The caller leaves it out and counts it. */
public final class MalformedDocumentException extends Exception {
  private static final long serialVersionUID = 1;

  /**
   * A problem of one document.
   *
   * @param document its id or place
   */
  public MalformedDocumentException(String document, String problem) {
    super(document + ": " + problem);
  }

  /** A document on which a library has failed. */
  public MalformedDocumentException(String document, Throwable cause) {
    super(document + ": " + cause, cause);
  }
}
