package io.kmodel.indexer.source.remote;

import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * A server does not answer, or refuses to. It is unchecked, so that no reader takes it for damage
 * of a file and skips the rest: the build stops, keeps its finished work, and can be resumed.
 */
public final class UnavailableException extends UncheckedIOException {
  private static final long serialVersionUID = 1;

  UnavailableException(Address address, String why, IOException cause) {
    super(address.name() + ": " + why, cause);
  }

  UnavailableException(Address address, String why) {
    this(address, why, new IOException(why));
  }
}
