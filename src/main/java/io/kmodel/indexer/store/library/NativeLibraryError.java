package io.kmodel.indexer.store.library;

/**
 * A native library cannot be loaded. It is an error, not an exception: readers of a damaged file
 * skip it after an exception, but here the machine is at fault, not the data.
 */
public final class NativeLibraryError extends Error {
  private static final long serialVersionUID = 1;

  public NativeLibraryError(String message, Throwable cause) {
    super(message, cause);
  }
}
