package io.kmodel.indexer.inversion;

/** There is no device that can be used; the message says why. */
public final class NoDeviceException extends Exception {
  private static final long serialVersionUID = 1L;

  NoDeviceException(String reason) {
    super(reason);
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
