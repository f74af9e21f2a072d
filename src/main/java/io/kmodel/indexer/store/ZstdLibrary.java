package io.kmodel.indexer.store;

import com.github.luben.zstd.util.Native;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Loads zstd's native library, from a private directory that is deleted at once. By itself zstd-jni
 * would unpack it among everybody's temporary files, readable by all, and leave it there when the
 * process is killed. To be called before anything else of zstd. Safe for many threads.
 */
public final class ZstdLibrary {
  private ZstdLibrary() {}

  /**
   * Loads it, once.
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

  /** Where a library in use cannot be deleted, zstd-jni does that when the process ends. */
  private static void delete(Path directory) {
    try {
      Directories.deleteTree(directory);
    } catch (IOException e) {
      directory.toFile().deleteOnExit();
    }
  }
}
