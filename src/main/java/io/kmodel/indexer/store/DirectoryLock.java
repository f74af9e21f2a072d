package io.kmodel.indexer.store;

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
 * The lock of a directory in which something is made: a lock of the operating system on a file,
 * which ends with the process that holds it, however that ends; so a file that a dead process has
 * left locks nobody out. The file says in words who holds it. A directory that was made by somebody
 * else is neither locked nor changed.
 *
 * <p>POSIX takes a process's locks on a file away when the process closes any descriptor of it. So
 * a file that is locked here is not opened a second time in this process, by nobody: who holds it
 * is remembered, and that its name still leads to it is seen by its size.
 */
public final class DirectoryLock implements AutoCloseable {
  private static final String FILE_NAME = "lock";

  /** How the file begins. */
  private static final String OWNER = "process ";

  /** Where Linux has the machine's name. */
  private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");

  private static final int OWNER_BYTES = 1000;

  /** Spaces at the end of the file, fewer than so many, whose number is drawn each time. */
  private static final int PADDING = 500;

  /** How often a directory may be deleted by its last owner while it is taken. */
  private static final int ATTEMPTS = 1000;

  /**
   * Who holds the locks of this process, by the keys of their files: the process is what has them,
   * not an object. Its monitor is held while such a file is opened or closed.
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
   * Creates the directory where it is absent, and locks it. A thread that is interrupted meanwhile
   * does so all the same, which takes no time, and stays interrupted: who has the lock can delete
   * what was made.
   *
   * @param entries names of all that its owners may make in it
   * @throws LockedException if another process, or another owner in this one, has locked it
   * @throws ForeignDirectoryException if there is something that no owner has made
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
        // Its last owner has deleted the directory just now, or the system lets nobody make it.
        if (attempt == ATTEMPTS) {
          FileSystemException failure =
              new FileSystemException(directory.toString(), null, "cannot be made");
          failure.initCause(e);
          throw failure;
        }
      }
    }
  }

  /**
   * Looks, without writing, whether a directory is absent or was made by an owner. The lock's file
   * is the first in it and the last: only an empty one is without.
   *
   * @param entries names of all that its owners may make in it
   * @throws ForeignDirectoryException if there is something that no owner has made
   */
  public static void requireOurs(Path directory, Set<String> entries) throws IOException {
    if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    if (!attributes(directory).isDirectory()) {
      throw new ForeignDirectoryException(directory, "is no directory");
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
          throw new ForeignDirectoryException(directory, "holds " + name);
        }
      }
    }
    if (!isOurs && other != null) {
      throw new ForeignDirectoryException(
          directory, "holds %s without a file '%s'".formatted(other, FILE_NAME));
    }
  }

  private static BasicFileAttributes attributes(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
  }

  /** Null if the file was deleted, and perhaps made again, before it was locked. */
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

  /** What a file is known by, whatever its name. */
  private static Object key(Path file) throws IOException {
    Object key = attributes(file).fileKey();
    return key == null ? file.toRealPath() : key;
  }

  private static void requireOurs(Path directory, FileChannel channel) throws IOException {
    String before = text(channel);
    if (!before.isEmpty() && !before.startsWith(OWNER)) {
      throw new ForeignDirectoryException(
          directory, "its file '%s' is of another program".formatted(FILE_NAME));
    }
  }

  /** Of two files, one of which does not change meanwhile, the sizes differ at least once. */
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
      // until its end
    }
    return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8).strip();
  }

  private static String self() {
    return OWNER
        + "%d on %s, since %s".formatted(ProcessHandle.current().pid(), host(), Instant.now());
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

  /** All but the lock: where that is not, the directory is anybody's. */
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
        // Its next owner has come.
      } finally {
        HELD.remove(key);
      }
    }
  }
}
