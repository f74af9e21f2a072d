package io.kmodel.indexer.gpu;

import io.kmodel.indexer.store.library.NativeFolder;
import java.io.IOException;

/**
 * Loads jcuda's native library. jcuda extracts it to a fixed name in java.io.tmpdir and would load
 * any file of that name it finds there. To keep other users from planting one, java.io.tmpdir is
 * set to a private directory meanwhile.
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
    String usual = System.getProperty(TEMPORARY);
    // Creating it also makes the JDK read the property, for its own temporary files, beforehand.
    try (NativeFolder folder = NativeFolder.create()) {
      System.setProperty(TEMPORARY, folder.path().toString());
      Cuda.loadLibrary();
      loaded = true;
    } finally {
      System.setProperty(TEMPORARY, usual);
    }
  }
}
