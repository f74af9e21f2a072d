package io.kmodel.indexer.browse;

/** A request that is not answered, with a status of HTTP and a message for users. */
final class RefusedRequestException extends Exception {
  private static final long serialVersionUID = 1;
  private static final int BAD_REQUEST = 400;

  private final int status;

  RefusedRequestException(int status, String message) {
    super(message);
    this.status = status;
  }

  /** A mistake in the request. */
  RefusedRequestException(String message) {
    this(BAD_REQUEST, message);
  }

  int status() {
    return status;
  }
}
