package io.kmodel.indexer.store.disk;

import io.kmodel.indexer.task.Interruption;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The lock of a work directory. It is an operating system lock on a file, which ends with the
 * process that holds it, so a file left by a dead process does not lock anyone out. The file
 * describes the holder in words. A directory that another program created is neither locked nor
 * changed.
 *
 * <p>POSIX drops all of a process's locks on a file when the process closes any descriptor of it.
 * So this process never opens a file that it has locked a second time. It remembers which files it
 * has locked, and compares sizes to verify that a file's name still refers to the locked file.
 */
public final class DirectoryLock implements AutoCloseable {
  private static final String FILE_NAME = "lock";

  /** The first characters of the file. */
  private static final String OWNER = "process ";

  /** Where Linux provides the machine's name. */
  private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");

  private static final int OWNER_BYTES = 1000;

  /** Limit for the random number of spaces at the end of the file. */
  private static final int PADDING = 500;

  /** Limit of retries if previous owners keep deleting the directory while it is being locked. */
  private static final int ATTEMPTS = 1000;

  /**
   * The holders of this process's locks by file key; POSIX locks belong to the process, not to an
   * object. The map's monitor is held while such a file is opened or closed.
   */
  private static final Map<Object, String> HELD = new HashMap<>();

  private final Path directory;
  private final FileChannel channel;
  private final FileLock lock;
  private final Object key;
  private boolean deletes;

  private DirectoryLock(Path directory, FileChannel channel, FileLock lock, Object key) {
    this.directory = directory;
    this.channel = channel;
    this.lock = lock;
    this.key = key;
  }

  /**
   * Creates the directory if necessary and locks it. This is quick and completes even if the thread
   * is interrupted, which stays interrupted, so that the holder can delete what was created.
   *
   * @param entries names of all entries that its owners may create in it
   * @throws LockedException if another process, or another owner in this process, has locked it
   * @throws ForeignDirectoryException if it contains an entry that no owner creates
   */
  public static DirectoryLock take(Path directory, Set<String> entries) throws IOException {
    return Interruption.defer(() -> takeUnlessInterrupted(directory, entries));
  }

  private static DirectoryLock takeUnlessInterrupted(Path directory, Set<String> entries)
      throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        requireOurs(directory, entries);
        Files.createDirectories(directory);
        DirectoryLock lock = tryTake(directory);
        if (lock != null) {
          return lock;
        }
      } catch (NoSuchFileException | FileAlreadyExistsException e) {
        // The last owner deleted the directory just now, or the system does not let anyone create
        // it.
        if (attempt == ATTEMPTS) {
          FileSystemException failure =
              new FileSystemException(directory.toString(), null, "cannot be created");
          failure.initCause(e);
          throw failure;
        }
      }
    }
  }

  /**
   * Checks, without writing, that a directory does not exist or was created by an owner. Owners
   * create the lock file first and delete it last, so only an empty directory may lack it.
   *
   * @param entries names of all entries that its owners may create in it
   * @throws ForeignDirectoryException if it contains an entry that no owner creates
   */
  public static void requireOurs(Path directory, Set<String> entries) throws IOException {
    if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    if (!attributes(directory).isDirectory()) {
      throw new ForeignDirectoryException(directory, "it is not a directory");
    }
    boolean isOurs = Files.isRegularFile(directory.resolve(FILE_NAME), LinkOption.NOFOLLOW_LINKS);
    String other = null;
    try (DirectoryStream<Path> found = Files.newDirectoryStream(directory)) {
      for (Path entry : found) {
        String name = String.valueOf(entry.getFileName());
        if (name.equals(FILE_NAME) && attributes(entry).isRegularFile()) {
          isOurs = true;
        } else if (entries.contains(name)) {
          other = other == null ? name : other;
        } else {
          throw new ForeignDirectoryException(directory, "it contains " + name);
        }
      }
    }
    if (!isOurs && other != null) {
      throw new ForeignDirectoryException(
          directory, "it contains %s, but no file '%s'".formatted(other, FILE_NAME));
    }
  }

  private static BasicFileAttributes attributes(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
  }

  /** Returns null if the file was deleted, and perhaps recreated, before it was locked. */
  private static @Nullable DirectoryLock tryTake(Path directory) throws IOException {
    Path file = directory.resolve(FILE_NAME);
    synchronized (HELD) {
      if (Files.exists(file)) {
        String holder = HELD.get(key(file));
        if (holder != null) {
          throw new LockedException(directory, holder);
        }
      }
      FileChannel channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      try {
        FileLock lock = channel.tryLock();
        if (lock == null) {
          throw new LockedException(directory, owner(channel));
        }
        requireOurs(directory, channel);
        String owner = self();
        if (!isStill(channel, file, owner)) {
          channel.close();
          return null;
        }
        Directories.createPrivate(directory);
        DirectoryLock taken = new DirectoryLock(directory, channel, lock, key(file));
        HELD.put(taken.key, owner);
        return taken;
      } catch (IOException | RuntimeException e) {
        channel.close();
        throw e;
      }
    }
  }

  /** Identifies a file regardless of its name. */
  private static Object key(Path file) throws IOException {
    Object key = attributes(file).fileKey();
    return key == null ? file.toRealPath() : key;
  }

  private static void requireOurs(Path directory, FileChannel channel) throws IOException {
    String before = text(channel);
    if (!before.isEmpty() && !before.startsWith(OWNER)) {
      throw new ForeignDirectoryException(
          directory, "its file '%s' belongs to another program".formatted(FILE_NAME));
    }
  }

  /**
   * Whether the file's name still refers to the locked file. Compares sizes twice, with a new size
   * in between: two different files, one of which does not change, differ in at least one
   * comparison.
   */
  private static boolean isStill(FileChannel channel, Path file, String owner) throws IOException {
    try {
      long before = channel.size();
      if (Files.size(file) != before) {
        return false;
      }
      byte[] text;
      do {
        int padding = ThreadLocalRandom.current().nextInt(PADDING);
        text = (owner + " ".repeat(padding) + "\n").getBytes(StandardCharsets.UTF_8);
      } while (text.length == before);
      write(channel, file, text);
      return Files.size(file) == text.length;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private static void write(FileChannel channel, Path file, byte[] text) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(text);
    try {
      while (bytes.hasRemaining()) {
        channel.write(bytes, bytes.position());
      }
    } catch (IOException e) {
      throw NamingOutput.failure(file, e, bytes.position());
    }
    channel.truncate(text.length);
  }

  private static String owner(FileChannel channel) throws IOException {
    String owner = text(channel);
    return owner.isEmpty() ? "a process that is just starting" : owner;
  }

  private static String text(FileChannel channel) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(OWNER_BYTES);
    while (bytes.hasRemaining() && channel.read(bytes, bytes.position()) > 0) {
      // Reads to the end.
    }
    return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8).strip();
  }

  private static String self() {
    return OWNER
        + "%d on %s, since %s".formatted(ProcessHandle.current().pid(), host(), Instant.now());
  }

  /** Avoids a host name lookup, which can take seconds without a network. */
  private static String host() {
    try {
      return Files.readString(HOST_NAME).strip();
    } catch (IOException e) {
      return "this machine";
    }
  }

  /** Makes {@link #close} delete the directory and its content while the lock is still held. */
  public void deleteAtClose() {
    deletes = true;
  }

  @Override
  public void close() throws IOException {
    boolean deleted = false;
    try {
      if (deletes) {
        deleteEntries();
        deleted = true;
      }
    } finally {
      release(deleted);
    }
  }

  /** Deletes everything except the lock file: without it, anyone could take the directory. */
  private void deleteEntries() throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path entry : entries) {
        if (!FILE_NAME.equals(String.valueOf(entry.getFileName()))) {
          Directories.deleteTree(entry);
        }
      }
    }
  }

  private void release(boolean deletesDirectory) throws IOException {
    synchronized (HELD) {
      try (channel) {
        if (deletesDirectory) {
          Files.deleteIfExists(directory.resolve(FILE_NAME));
          Files.deleteIfExists(directory);
        }
        lock.release();
      } catch (DirectoryNotEmptyException e) {
        // The next owner has already created something in it.
      } finally {
        HELD.remove(key);
      }
    }
  }
}
