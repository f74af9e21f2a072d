package io.kmodel.indexer.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where files and directories are that may not be there yet. */
public final class Places {
  private Places() {}

  /** Whether they are one place, or one is inside the other; links are followed. */
  public static boolean meet(Path one, Path other) throws IOException {
    Path first = real(one);
    Path second = real(other);
    return first.startsWith(second) || second.startsWith(first);
  }

  /** The path without links, as far as it is there. */
  public static Path real(Path path) throws IOException {
    Path absolute = path.toAbsolutePath().normalize();
    Path there = absolute;
    while (!Files.exists(there)) {
      Path parent = there.getParent();
      if (parent == null) {
        return absolute;
      }
      there = parent;
    }
    return there.toRealPath().resolve(there.relativize(absolute));
  }
}
