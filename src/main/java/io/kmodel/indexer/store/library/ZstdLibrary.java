package io.kmodel.indexer.store.library;

import com.github.luben.zstd.util.Native;
import java.io.IOException;

/**
 * Loads zstd's native library from a {@link NativeFolder}. Must be called before any other use of
 * zstd. Thread-safe.
 */
public final class ZstdLibrary {
  private ZstdLibrary() {}

  /**
   * Loads the library, once.
   *
   * @throws NativeLibraryError if it cannot be loaded
   */
  public static synchronized void load() {
    if (Native.isLoaded()) {
      return;
    }
    try (NativeFolder folder = NativeFolder.create()) {
      Native.load(folder.path().toFile());
    } catch (IOException | LinkageError e) {
      String reason = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
      throw new NativeLibraryError("zstd's native library cannot be loaded: " + reason, e);
    }
  }
}
