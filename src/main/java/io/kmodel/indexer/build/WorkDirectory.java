package io.kmodel.indexer.build;

import io.kmodel.indexer.store.Directories;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The directory beside the output in which a build works: {@code OUTPUT.building}, with the runs
 * and the growing index. It is locked while the build lives; the index moves to its place in one
 * rename; the directory is deleted when the build ends, well or badly. Where the process is killed,
 * the next build into the same output cleans up, and puts back an index that was on the way out.
 */
final class WorkDirectory implements AutoCloseable {
  private static final String SUFFIX = ".building";

  private final Path output;
  private final Path root;
  private final @Nullable Replaceable replaceable;
  private final FileChannel lockFile;
  private final FileLock lock;

  /** Tells whether a directory is something that a build may replace, and nothing else. */
  @FunctionalInterface
  interface Replaceable {
    boolean test(Path directory) throws IOException;
  }

  private WorkDirectory(
      Path output,
      Path root,
      @Nullable Replaceable replaceable,
      FileChannel lockFile,
      FileLock lock) {
    this.output = output;
    this.root = root;
    this.replaceable = replaceable;
    this.lockFile = lockFile;
    this.lock = lock;
  }

  /**
   * Prepares the directory.
   *
   * @param replaceable what may be there and be replaced; null for nothing
   * @throws BuildException if the output is there and may not be replaced, or another build is at
   *     work on it
   */
  static WorkDirectory create(Path output, @Nullable Replaceable replaceable) throws IOException {
    Path target = output.toAbsolutePath().normalize();
    Path root = target.resolveSibling(target.getFileName() + SUFFIX);
    Directories.createPrivate(root);
    FileChannel lockFile =
        FileChannel.open(root.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock lock = tryLock(lockFile);
    if (lock == null) {
      lockFile.close();
      throw new BuildException("another build is at work on " + output + " (" + root + ")");
    }
    WorkDirectory directory = new WorkDirectory(target, root, replaceable, lockFile, lock);
    try {
      directory.prepare();
    } catch (IOException | RuntimeException e) {
      directory.close();
      throw e;
    }
    return directory;
  }

  private void prepare() throws IOException {
    if (Files.exists(replaced()) && !Files.exists(output)) {
      Files.move(replaced(), output, StandardCopyOption.ATOMIC_MOVE);
    }
    requireFree();
    Directories.deleteTree(runs());
    Directories.deleteTree(index());
    Files.createDirectories(runs());
  }

  /** Whether the output may be written, now or at the end. */
  private void requireFree() throws IOException {
    if (!isOccupied(output)) {
      return;
    }
    if (replaceable == null) {
      throw new BuildException(
          output + " exists already; name another output, or replace it with --overwrite");
    }
    if (!replaceable.test(output)) {
      throw new BuildException(
          output
              + " is not an index, or holds more than one; it is not replaced even with"
              + " --overwrite");
    }
  }

  private Path replaced() {
    return root.resolve("replaced");
  }

  /** What a crawl that holds the output does not consist of. */
  List<Path> all() {
    return List.of(output, root);
  }

  Path runs() {
    return root.resolve("runs");
  }

  Path index() {
    return root.resolve("index");
  }

  /** Moves the finished index to its place, and what was there out of the way. */
  void publish() throws IOException {
    requireFree();
    Directories.deleteTree(replaced());
    boolean replaces = Files.exists(output);
    if (replaces) {
      Files.move(output, replaced(), StandardCopyOption.ATOMIC_MOVE);
    }
    try {
      Files.move(index(), output, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      if (replaces) {
        Files.move(replaced(), output, StandardCopyOption.ATOMIC_MOVE);
      }
      throw e;
    }
    Directories.force(output);
  }

  @Override
  public void close() throws IOException {
    try {
      Directories.deleteTree(root);
    } finally {
      lock.release();
      lockFile.close();
    }
  }

  private static @Nullable FileLock tryLock(FileChannel file) throws IOException {
    try {
      return file.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  /** Whether there is something that a build would destroy. */
  private static boolean isOccupied(Path target) throws IOException {
    if (!Files.exists(target)) {
      return false;
    }
    if (!Files.isDirectory(target)) {
      return true;
    }
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(target)) {
      return entries.iterator().hasNext();
    }
  }
}
