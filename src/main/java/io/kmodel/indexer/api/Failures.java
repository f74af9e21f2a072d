package io.kmodel.indexer.api;

import io.kmodel.indexer.index.model.FormatLimitException;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.DuplicateIdException;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.store.disk.LockedException;
import io.kmodel.indexer.store.disk.RefusedOutputException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;

/** Gives failures of other packages the types of this one. */
final class Failures {
  /** Reads or writes something. */
  @FunctionalInterface
  interface Action<T> {
    T run() throws IOException, InterruptedException;
  }

  private Failures() {}

  /** Runs an action whose failures get public types. An interruption is an IOException. */
  static <T> T translated(Action<T> action) throws IOException {
    try {
      return action.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw interrupted(e);
    } catch (IOException | BuildException | FormatLimitException e) {
      throw of(e);
    }
  }

  /** The same for use where no IOException can be thrown. */
  static <T> T unchecked(Action<T> action) {
    try {
      return translated(action);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static InterruptedIOException interrupted(InterruptedException cause) {
    InterruptedIOException e = new InterruptedIOException("the thread was interrupted");
    e.initCause(cause);
    return e;
  }

  /** A failure of a public type. */
  static IOException of(Throwable cause) {
    String message = String.valueOf(cause.getMessage());
    return switch (cause) {
      case CorruptIndexException e -> new DamagedIndexException(message, e);
      case BuildException e -> new IndexException(message, e);
      case FormatLimitException e -> new IndexException(message, e);
      case DuplicateIdException e -> new IndexException(message, e);
      case RefusedOutputException e -> new IndexException(message, e);
      case FileAlreadyExistsException e -> new IndexException(message, e);
      case LockedException e -> new IndexException(message, e);
      case IOException e -> e;
      case IllegalArgumentException e -> throw new IllegalArgumentException(message, e);
      case Throwable e -> throw new IllegalStateException("the build has failed: " + e, e);
    };
  }
}
