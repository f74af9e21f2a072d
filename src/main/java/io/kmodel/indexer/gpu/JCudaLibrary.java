package io.kmodel.indexer.gpu;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Loads jcuda's native library. jcuda extracts it to a fixed name in java.io.tmpdir and would load
 * any file of that name it finds there. To keep other users from planting one, java.io.tmpdir is
 * set to a private directory meanwhile, which is deleted at once as far as possible.
 */
final class JCudaLibrary {
  private static final String TEMPORARY = "java.io.tmpdir";

  private static boolean loaded;

  private JCudaLibrary() {}

  /**
   * Loads the library if that has not been done.
   *
   * @throws LinkageError if it cannot be loaded; later calls throw it, too
   */
  static synchronized void load() throws IOException {
    if (loaded) {
      return;
    }
    // This also makes the JDK read the property, for its own temporary files, before it changes.
    Path directory = Files.createTempDirectory("indexer-jcuda");
    String usual = System.getProperty(TEMPORARY);
    try {
      System.setProperty(TEMPORARY, directory.toString());
      Cuda.loadLibrary();
      loaded = true;
    } finally {
      System.setProperty(TEMPORARY, usual);
      delete(directory);
    }
  }

  /** Deletes what it can. NFS, for example, keeps loaded files, which does no harm. */
  static void delete(Path directory) {
    List<Path> all = new ArrayList<>();
    try (Stream<Path> tree = Files.walk(directory)) {
      tree.forEach(all::add);
      for (Path path : all.reversed()) {
        Files.delete(path);
      }
    } catch (IOException | UncheckedIOException e) {
      // The library may be loaded all the same; a failure to load it is what the caller needs.
    }
  }
}
