package io.kmodel.indexer.store.library;

import com.github.luben.zstd.util.Native;
import io.kmodel.indexer.store.disk.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Loads zstd's native library from a private directory that is deleted immediately. On its own,
 * zstd-jni would unpack it into the shared temporary directory, readable by everyone, and leave it
 * there if the process is killed. Must be called before any other use of zstd. Thread-safe.
 */
public final class ZstdLibrary {
  private ZstdLibrary() {}

  /**
   * Loads the library, once.
   *
   * @throws LinkageError if it cannot be loaded
   */
  public static synchronized void load() throws IOException {
    if (Native.isLoaded()) {
      return;
    }
    Path directory = Files.createTempDirectory("indexer-zstd");
    try {
      Native.load(directory.toFile());
    } finally {
      delete(directory);
    }
  }

  /** If a library in use cannot be deleted, it is deleted when the process ends. */
  private static void delete(Path directory) {
    try {
      Directories.deleteTree(directory);
    } catch (IOException e) {
      directory.toFile().deleteOnExit();
    }
  }
}
