package io.kmodel.indexer.build;

import io.kmodel.indexer.store.Directories;
import io.kmodel.indexer.store.Places;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where an index appears, and what may be there before.
 *
 * @param output without links, so that the index comes to be on the disk that was meant
 * @param work the directory beside it in which it is made; see {@link WorkDirectory}
 */
record OutputPlace(Path output, Path work) {
  private static final String SUFFIX = ".building";

  /** Tells whether a directory is something that a build may replace, and nothing else. */
  @FunctionalInterface
  interface Replaceable {
    boolean test(Path directory) throws IOException;
  }

  /**
   * The place that a path names.
   *
   * @throws BuildException if no index can be there
   */
  static OutputPlace of(Path path) throws IOException {
    Path output = target(path);
    Path name = output.getFileName();
    if (name == null) {
      throw new BuildException("an index cannot take the place of " + output);
    }
    return new OutputPlace(output, output.resolveSibling(name + SUFFIX));
  }

  private static Path target(Path path) throws IOException {
    Path absolute = path.toAbsolutePath();
    if (Files.isSymbolicLink(absolute) && !Files.exists(absolute)) {
      throw new BuildException(
          "%s is a link to %s, which is not there; make a directory there, or name another output"
              .formatted(path, Files.readSymbolicLink(absolute)));
    }
    return Places.real(absolute);
  }

  /**
   * Looks whether an index may be put there.
   *
   * @param there what is in its place, or will be
   * @param replaceable what may be there and be replaced; null for nothing
   * @throws BuildException if not
   */
  void requireFree(Path there, @Nullable Replaceable replaceable) throws IOException {
    if (!Directories.isOccupied(there)) {
      return;
    }
    if (replaceable == null) {
      String replacing = Files.isDirectory(there) ? ", or replace it with --overwrite" : "";
      throw new BuildException(output + " exists already; name another output" + replacing);
    }
    if (!Files.isDirectory(there) || !replaceable.test(there)) {
      throw new BuildException(
          output
              + " is not an index, or holds other files besides; it is not replaced even with"
              + " --overwrite");
    }
  }

  /**
   * Looks, without writing, whether what is there can be moved.
   *
   * @throws BuildException if not
   */
  void requireUnmounted() throws IOException {
    if (Files.isDirectory(output) && Directories.isMountPoint(output)) {
      throw immovable();
    }
  }

  BuildException immovable() {
    return new BuildException(
        output + " is a mount point, or cannot be moved; name a directory inside it");
  }
}
