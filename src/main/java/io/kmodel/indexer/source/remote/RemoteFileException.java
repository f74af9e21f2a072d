package io.kmodel.indexer.source.remote;

import java.nio.file.FileSystemException;

/**
 * One file of a server cannot be read: it is gone, has changed, or is no plain file. Other files of
 * the server may be readable.
 */
public final class RemoteFileException extends FileSystemException {
  private static final long serialVersionUID = 1;

  RemoteFileException(Address address, String why) {
    super(address.name(), null, why);
  }
}
