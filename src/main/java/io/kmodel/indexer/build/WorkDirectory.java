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
import org.jspecify.annotations.Nullable;

/**
 * The directory beside the output in which a build works: {@code OUTPUT.building}, with the runs
 * and the growing index. It is locked while the build lives, the index moves to its place in one
 * rename, and the directory is deleted whatever happens. What an interrupted build left in it is
 * deleted by the next one.
 */
final class WorkDirectory implements AutoCloseable {
  private static final String SUFFIX = ".building";

  private final Path output;
  private final Path root;
  private final FileChannel lockFile;
  private final FileLock lock;

  private WorkDirectory(Path output, Path root, FileChannel lockFile, FileLock lock) {
    this.output = output;
    this.root = root;
    this.lockFile = lockFile;
    this.lock = lock;
  }

  /**
   * Prepares the directory.
   *
   * @throws BuildException if the output is there and may not be replaced, or another build is at
   *     work on it
   */
  static WorkDirectory create(Path output, boolean overwrite) throws IOException {
    Path target = output.toAbsolutePath().normalize();
    if (isOccupied(target) && !overwrite) {
      throw new BuildException(
          output + " exists already; name another output, or replace it with --overwrite");
    }
    if (isOccupied(target) && !Files.exists(target.resolve("index.json"))) {
      throw new BuildException(
          output + " is not an index; it is not replaced even with --overwrite");
    }
    Path root = target.resolveSibling(target.getFileName() + SUFFIX);
    Files.createDirectories(root);
    FileChannel lockFile =
        FileChannel.open(root.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock lock = tryLock(lockFile);
    if (lock == null) {
      lockFile.close();
      throw new BuildException("another build is at work on " + output + " (" + root + ")");
    }
    WorkDirectory directory = new WorkDirectory(target, root, lockFile, lock);
    Directories.deleteTree(directory.runs());
    Directories.deleteTree(directory.index());
    Files.createDirectories(directory.runs());
    return directory;
  }

  Path runs() {
    return root.resolve("runs");
  }

  Path index() {
    return root.resolve("index");
  }

  /** Moves the finished index to its place, and what was there out of the way. */
  void publish() throws IOException {
    Path replaced = root.resolve("replaced");
    Directories.deleteTree(replaced);
    if (Files.exists(output)) {
      Files.move(output, replaced, StandardCopyOption.ATOMIC_MOVE);
    }
    Files.move(index(), output, StandardCopyOption.ATOMIC_MOVE);
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
