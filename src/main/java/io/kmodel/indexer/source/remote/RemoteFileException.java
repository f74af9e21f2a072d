package io.kmodel.indexer.source.remote;

import java.io.IOException;

/**
 * One file of a server cannot be read: it is gone, has changed, or is no plain file. Other files of
 * the server may be readable.
 */
final class RemoteFileException extends IOException {
  private static final long serialVersionUID = 1;

  RemoteFileException(Address address, String why) {
    super(address.name() + ": " + why);
  }

  /** The message alone: it becomes part of other messages. */
  @Override
  public String toString() {
    return String.valueOf(getMessage());
  }
}
