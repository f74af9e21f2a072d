package io.kmodel.indexer.parse;

import io.kmodel.indexer.source.SkipReason;

/** A document that cannot be parsed or analyzed. The caller skips and counts it. */
public final class MalformedDocumentException extends Exception {
  private static final long serialVersionUID = 1;

  private final SkipReason reason;

  /**
   * Creates an exception for a problem of one document.
   *
   * @param document its id or location
   */
  public MalformedDocumentException(String document, String problem) {
    this(SkipReason.UNPARSABLE, document, problem);
  }

  private MalformedDocumentException(SkipReason reason, String document, String problem) {
    super(document + ": " + problem);
    this.reason = reason;
  }

  /** Creates an exception for a document on which a library has failed. */
  public MalformedDocumentException(String document, Throwable cause) {
    super(document + ": " + cause, cause);
    this.reason = SkipReason.UNPARSABLE;
  }

  /** Creates an exception for a document whose only problem is its size. */
  static MalformedDocumentException tooLarge(String document, String problem) {
    return new MalformedDocumentException(SkipReason.TOO_LARGE, document, problem);
  }

  /** Returns the reason under which it is counted. */
  public SkipReason reason() {
    return reason;
  }
}
