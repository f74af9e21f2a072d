package io.kmodel.indexer.store.disk;

import io.kmodel.indexer.task.Interruption;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Utilities for directories: forcing entries to disk, replacing, deleting trees. */
public final class Directories {
  /** The mounts visible to this process; see proc(5), mountinfo. */
  private static final Path MOUNTS = Path.of("/proc/self/mountinfo");

  private static final int MOUNT_POINT = 4;
  private static final int MOUNT_COLUMNS = 6;

  private Directories() {}

  /** Forces the directory entry of {@code file} to disk, so that a rename survives a crash. */
  public static void force(Path file) throws IOException {
    Path directory = file.toAbsolutePath().getParent();
    if (directory == null) {
      return;
    }
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** Forces a file's content to disk. */
  public static void forceContent(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
  }

  /**
   * Creates a directory and its parents, unless it exists; returns it.
   *
   * @throws IOException also if the directory is not empty
   */
  public static Path createEmpty(Path directory) throws IOException {
    Files.createDirectories(directory);
    try (Stream<Path> present = Files.list(directory)) {
      if (present.findAny().isPresent()) {
        throw new IOException(directory + ": not empty; write the index to an empty directory");
      }
    }
    return directory;
  }

  /**
   * Creates a directory and its parents. Permits access to the owner only, where the file system
   * supports permissions; an existing directory is restricted, too.
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
   * Whether a directory can be renamed; a mount point cannot. An empty directory is renamed to
   * {@code aside} and back. The process may end in between, so the caller must also look for the
   * directory at {@code aside}. A directory with content, which another process may be reading, is
   * only tested for being a mount point. So is any directory if {@code aside} exists already.
   *
   * @throws IOException if the directory cannot be accessed or could not be renamed back
   */
  public static boolean isMovable(Path directory, Path aside) throws IOException {
    Path real = directory.toRealPath();
    if (isMountPoint(real)) {
      return false;
    }
    if (!isEmpty(real) || Files.exists(aside, LinkOption.NOFOLLOW_LINKS)) {
      return true;
    }
    try {
      Files.move(real, aside, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      return false;
    }
    Files.move(aside, real, StandardCopyOption.ATOMIC_MOVE);
    return true;
  }

  /**
   * Whether a file system, or a part of one, is mounted on a directory, according to the system's
   * list of mounts. Without such a list, compares the directory's device with its parent's.
   */
  public static boolean isMountPoint(Path directory) throws IOException {
    Path real = directory.toRealPath();
    Path parent = real.getParent();
    if (parent == null) {
      return true;
    }
    if (!Files.isReadable(MOUNTS)) {
      return !device(real).equals(device(parent));
    }
    String escaped = escaped(real.toString());
    try (Stream<String> mounts = Files.lines(MOUNTS, StandardCharsets.ISO_8859_1)) {
      return mounts.anyMatch(
          mount -> {
            String[] columns = mount.split(" ", MOUNT_COLUMNS);
            return columns.length == MOUNT_COLUMNS && columns[MOUNT_POINT].equals(escaped);
          });
    }
  }

  /** Encodes a path like the list of mounts does, with one character per byte. */
  private static String escaped(String path) {
    return new String(path.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1)
        .replace("\\", "\\134")
        .replace(" ", "\\040")
        .replace("\t", "\\011")
        .replace("\n", "\\012");
  }

  /** The device of a file's file system; a constant if unknown. */
  private static Object device(Path file) throws IOException {
    try {
      return Files.getAttribute(file, "unix:dev");
    } catch (UnsupportedOperationException | IllegalArgumentException e) {
      return "";
    }
  }

  /** Whether a path exists and is not an empty directory. */
  public static boolean isOccupied(Path there) throws IOException {
    return Files.exists(there) && !(Files.isDirectory(there) && isEmpty(there));
  }

  /** Whether a directory is empty. */
  public static boolean isEmpty(Path directory) throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      return !entries.iterator().hasNext();
    }
  }

  /** Total size of a directory's files whose names have a prefix; subdirectories do not count. */
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

  /** Deletes a directory and its content, if it exists, without following links. */
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

  /**
   * Moves a directory to its final location, forced to disk, and anything there to {@code aside}.
   *
   * <p>Where the system can exchange two names, the final location is never free: the new directory
   * first moves to {@code aside}, then the two exchange their names. Elsewhere the previous content
   * moves aside, then the new directory takes its place; if that fails, the previous content moves
   * back. If an exchange fails and may have happened, nothing moves back: {@link #restore} accepts
   * either state. If the thread was interrupted before the call, nothing is moved. If it is
   * interrupted during the call, the move completes and the thread stays interrupted.
   *
   * @param aside where to move the previous content; existing content there is deleted
   * @param between runs between the two steps
   * @throws ClosedByInterruptException if the thread was interrupted before the call
   */
  public static void replace(Path made, Path place, Path aside, Runnable between)
      throws IOException {
    deleteTree(aside);
    Interruption.requireNone();
    if (!isOccupied(place) || !exchange(made, place, aside, between)) {
      replaceInTwoSteps(made, place, aside, between);
    }
    forceMoved(place);
  }

  /** Returns false, and has moved nothing, if the system cannot exchange the names. */
  private static boolean exchange(Path made, Path place, Path aside, Runnable between)
      throws IOException {
    if (!NameExchange.isPossible(aside, place)) {
      return false;
    }
    Files.move(made, aside, StandardCopyOption.ATOMIC_MOVE);
    between.run();
    if (NameExchange.exchange(aside, place)) {
      return true;
    }
    Files.move(aside, made, StandardCopyOption.ATOMIC_MOVE);
    return false;
  }

  private static void replaceInTwoSteps(Path made, Path place, Path aside, Runnable between)
      throws IOException {
    boolean replaces = Files.exists(place);
    if (replaces) {
      Files.move(place, aside, StandardCopyOption.ATOMIC_MOVE);
      between.run();
    }
    try {
      Files.move(made, place, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      if (replaces) {
        try {
          Files.move(aside, place, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException suppressed) {
          e.addSuppressed(suppressed);
        }
      }
      throw e;
    }
  }

  /**
   * Moves a file to its final location, forced to disk, like {@link #replace} does with a
   * directory.
   *
   * @throws ClosedByInterruptException if the thread was interrupted before the call
   */
  public static void moveFile(Path made, Path place) throws IOException {
    Interruption.requireNone();
    Files.move(made, place, StandardCopyOption.ATOMIC_MOVE);
    forceMoved(place);
  }

  /** Defers interruption: the move has happened and must not be reported as failed. */
  private static void forceMoved(Path place) throws IOException {
    Interruption.defer(
        () -> {
          force(place);
          return true;
        });
  }

  /**
   * Undoes a {@link #replace} that was cut short when its process was killed. If the final location
   * is free or empty, the previous content is moved back. Otherwise either the move had completed,
   * or the names were not exchanged yet. Both leave a whole directory in the final location, and
   * the other one is deleted. A caller that wants to keep new content must look for it before.
   *
   * @throws RefusedOutputException see {@link #requireRestorable}
   */
  public static void restore(Path made, Path place, Path aside) throws IOException {
    requireRestorable(made, place, aside);
    if (!Files.exists(aside)) {
      return;
    }
    if (isOccupied(place)) {
      deleteTree(aside);
    } else {
      Files.move(aside, place, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  /**
   * Rejects the case where something else was created at the final location after the previous
   * content was moved aside and before the new content took its place. Only the user can decide
   * which of them to keep.
   *
   * @throws RefusedOutputException if so
   */
  public static void requireRestorable(Path made, Path place, Path aside) throws IOException {
    if (Files.exists(aside) && Files.exists(made) && isOccupied(place)) {
      throw new RefusedOutputException(
          place,
          "exists, but an interrupted replacement has moved the previous one to %s; move one of them away"
              .formatted(aside));
    }
  }
}
