package io.kmodel.indexer.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The lock of a directory in which something is made: a lock of the operating system on a file,
 * which ends with the process that holds it, however that ends; so a file that a dead process has
 * left locks nobody out. The file says in words who holds it.
 */
public final class DirectoryLock implements AutoCloseable {
  private static final String FILE_NAME = "lock";

  /** Where Linux has the machine's name. */
  private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");

  private static final int OWNER_BYTES = 1000;

  private final Path directory;
  private final FileChannel channel;
  private final FileLock lock;
  private boolean deletes;

  private DirectoryLock(Path directory, FileChannel channel, FileLock lock) {
    this.directory = directory;
    this.channel = channel;
    this.lock = lock;
  }

  /**
   * Creates the directory where it is absent, and locks it.
   *
   * @throws LockedException if another process, or another owner in this one, has locked it
   */
  public static DirectoryLock take(Path directory) throws IOException {
    Path file = directory.resolve(FILE_NAME);
    while (true) {
      Directories.createPrivate(directory);
      FileChannel channel;
      try {
        channel =
            FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      } catch (NoSuchFileException e) {
        // Its last owner has deleted the directory just now.
        continue;
      }
      try {
        FileLock lock = tryLock(channel);
        if (lock == null) {
          throw new LockedException(directory, owner(channel));
        }
        if (isStill(channel, file)) {
          return new DirectoryLock(directory, channel, lock);
        }
      } catch (IOException | RuntimeException e) {
        channel.close();
        throw e;
      }
      channel.close();
    }
  }

  private static @Nullable FileLock tryLock(FileChannel file) throws IOException {
    try {
      return file.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  /** Whether the file was not deleted, and perhaps made again, before it was locked. */
  private static boolean isStill(FileChannel channel, Path file) throws IOException {
    try {
      // What is written through the channel is only read by name if both are one file.
      writeOwner(channel);
      return owner(channel).equals(Files.readString(file).strip());
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private static String owner(FileChannel channel) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(OWNER_BYTES);
    while (bytes.hasRemaining() && channel.read(bytes, bytes.position()) > 0) {
      // until its end
    }
    String owner = new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8).strip();
    return owner.isEmpty() ? "a process that is just starting" : owner;
  }

  private static void writeOwner(FileChannel channel) throws IOException {
    ProcessHandle self = ProcessHandle.current();
    String owner = "process %d on %s, since %s%n".formatted(self.pid(), host(), Instant.now());
    channel.truncate(0);
    ByteBuffer bytes = ByteBuffer.wrap(owner.getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) {
      channel.write(bytes, bytes.position());
    }
  }

  /** Without a look-up, which can take seconds where the network is not there. */
  private static String host() {
    try {
      return Files.readString(HOST_NAME).strip();
    } catch (IOException e) {
      return "this machine";
    }
  }

  /** Has the directory deleted with all that is in it, while nobody else can be at work there. */
  public void deleteAtClose() {
    deletes = true;
  }

  @Override
  public void close() throws IOException {
    try (channel) {
      if (deletes) {
        Directories.deleteTree(directory);
      }
      lock.release();
    }
  }
}
