package io.kmodel.indexer.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/** What is done to directories: forcing their entries to the disk, and deleting trees. */
public final class Directories {
  private Directories() {}

  /** Forces the directory entry of {@code file} to the disk, so that a rename survives a crash. */
  public static void force(Path file) throws IOException {
    Path directory = file.toAbsolutePath().getParent();
    if (directory == null) {
      return;
    }
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** Forces the bytes of a file to the disk. */
  public static void forceContent(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
  }

  /**
   * Makes a directory, and those above it, that is closed to everybody else where the file system
   * can say so; one that is there is closed, too.
   */
  public static void createPrivate(Path directory) throws IOException {
    Files.createDirectories(directory);
    PosixFileAttributeView view =
        Files.getFileAttributeView(directory, PosixFileAttributeView.class);
    if (view != null) {
      view.setPermissions(PosixFilePermissions.fromString("rwx------"));
    }
  }

  /**
   * Whether a directory can be given another name, as a mount point cannot. An empty one is given
   * one beside it, and its own again. Of another, which somebody may be reading, it is looked
   * whether it is on the device of the directory that it is in; that does not tell of a part of a
   * disk that is mounted elsewhere.
   *
   * @throws IOException if it cannot be looked at, or could not be given its name again
   */
  public static boolean isMovable(Path directory) throws IOException {
    Path absolute = directory.toRealPath();
    Path parent = absolute.getParent();
    if (parent == null || !device(absolute).equals(device(parent))) {
      return false;
    }
    if (!isEmpty(absolute)) {
      return true;
    }
    Path aside = Files.createTempDirectory(parent, absolute.getFileName() + ".");
    try {
      Files.move(absolute, aside, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      Files.deleteIfExists(aside);
      return false;
    }
    Files.move(aside, absolute, StandardCopyOption.ATOMIC_MOVE);
    return true;
  }

  /** Of the file system that a file is on; the same for all where it is not told. */
  private static Object device(Path file) throws IOException {
    try {
      return Files.getAttribute(file, "unix:dev");
    } catch (UnsupportedOperationException | IllegalArgumentException e) {
      return "";
    }
  }

  /** Whether nothing is in a directory. */
  public static boolean isEmpty(Path directory) throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      return !entries.iterator().hasNext();
    }
  }

  /** Bytes of the files of a directory whose names begin so; those below it do not count. */
  public static long bytes(Path directory, String prefix) throws IOException {
    long bytes = 0;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, prefix + "*")) {
      for (Path file : files) {
        BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
        bytes += attributes.isDirectory() ? 0 : attributes.size();
      }
    }
    return bytes;
  }

  /** Deletes a directory and everything in it, without following links; absent is fine. */
  public static void deleteTree(Path root) throws IOException {
    if (!Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
              throws IOException {
            if (failure != null) {
              throw failure;
            }
            Files.delete(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
