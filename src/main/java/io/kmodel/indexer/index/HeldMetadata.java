package io.kmodel.indexer.index;

import io.kmodel.indexer.index.model.IndexMetadata;
import io.kmodel.indexer.index.model.MetadataFile;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.store.disk.NamingInput;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The {@code index.json} by which an index is being opened. Tells whether another index has
 * replaced this one since. Keeps the file open, so that the system cannot give its file key to
 * another file: an equal index that comes later has another key.
 */
final class HeldMetadata implements AutoCloseable {
  /** A replacement by two renames leaves a short time without an index. */
  private static final int LOOKS = 20;

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final Path file;
  private final FileChannel channel;
  private final @Nullable Object key;
  private final byte[] bytes;

  private HeldMetadata(Path file, FileChannel channel) throws IOException {
    this.file = file;
    this.channel = channel;
    this.key = key(file);
    this.bytes = NamingInput.readAll(file, channel);
  }

  /**
   * Reads the file.
   *
   * @throws NoSuchFileException if it is missing and does not appear within a moment
   */
  static HeldMetadata open(Path file) throws IOException {
    while (true) {
      try {
        return openNow(file);
      } catch (NoSuchFileException e) {
        if (!await(file)) {
          throw e;
        }
      }
    }
  }

  private static HeldMetadata openNow(Path file) throws IOException {
    FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
    try {
      return new HeldMetadata(file, channel);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** Whether the file exists; waits a moment for it. */
  static boolean await(Path file) {
    for (int look = 1; !Files.exists(file); look++) {
      if (look == LOOKS) {
        return false;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return true;
  }

  IndexMetadata metadata() throws CorruptIndexException {
    return MetadataFile.parse(file, bytes);
  }

  /** Whether the file's name now belongs to another file, or to none. */
  boolean isReplaced() throws IOException {
    try {
      return !Objects.equals(key, key(file)) || !Arrays.equals(bytes, NamingInput.readAll(file));
    } catch (NoSuchFileException e) {
      return true;
    }
  }

  private static @Nullable Object key(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
