package io.kmodel.indexer.gpu;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Loads jcuda's native library. jcuda unpacks it to a fixed name in java.io.tmpdir and takes
 * whatever lies there already; so that nobody else can put it there, that directory is a private
 * one while jcuda does it, and is deleted at once, as far as it can be.
 */
final class JCudaLibrary {
  private static final String TEMPORARY = "java.io.tmpdir";

  private static boolean loaded;

  private JCudaLibrary() {}

  /**
   * Loads it, once.
   *
   * @throws LinkageError if it cannot be loaded, here and again later
   */
  static synchronized void load() throws IOException {
    if (loaded) {
      return;
    }
    // Also fixes, before the property changes, where the JDK makes its own temporary files.
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

  /** Deletes what can be: NFS, for one, keeps what is loaded, which harms nobody. */
  static void delete(Path directory) {
    List<Path> all = new ArrayList<>();
    try (Stream<Path> tree = Files.walk(directory)) {
      tree.forEach(all::add);
      for (Path path : all.reversed()) {
        Files.delete(path);
      }
    } catch (IOException | UncheckedIOException e) {
      // What was loaded is loaded, and what has failed is what the caller is to hear of.
    }
  }
}
