package io.kmodel.indexer.store.disk;

import java.io.IOException;
import java.nio.file.Path;

/** Another owner is working in a directory. */
public final class LockedException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String owner;

  LockedException(Path directory, String owner) {
    super("%s is locked by %s".formatted(directory, owner));
    this.owner = owner;
  }

  /** A description of the owner. */
  public String owner() {
    return owner;
  }
}
