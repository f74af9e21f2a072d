package io.kmodel.indexer.parse;

import io.kmodel.indexer.source.SkipReason;

/** A document that cannot be parsed or analyzed. The caller leaves it out and counts it. */
public final class MalformedDocumentException extends Exception {
  private static final long serialVersionUID = 1;

  private final SkipReason reason;

  /**
   * A problem of one document.
   *
   * @param document its id or place
   */
  public MalformedDocumentException(String document, String problem) {
    this(SkipReason.UNPARSABLE, document, problem);
  }

  private MalformedDocumentException(SkipReason reason, String document, String problem) {
    super(document + ": " + problem);
    this.reason = reason;
  }

  /** A document on which a library has failed. */
  public MalformedDocumentException(String document, Throwable cause) {
    super(document + ": " + cause, cause);
    this.reason = SkipReason.UNPARSABLE;
  }

  /** Of a document that nothing is wrong with but its size. */
  static MalformedDocumentException tooLarge(String document, String problem) {
    return new MalformedDocumentException(SkipReason.TOO_LARGE, document, problem);
  }

  /** What it is counted under. */
  public SkipReason reason() {
    return reason;
  }
}
