package io.kmodel.indexer.store;

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

/** What is done to directories: forcing their entries to the disk, and deleting trees. */
public final class Directories {
  /** What is mounted where, as this process sees it: proc(5), mountinfo. */
  private static final Path MOUNTS = Path.of("/proc/self/mountinfo");

  private static final int MOUNT_POINT = 4;
  private static final int MOUNT_COLUMNS = 6;

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
   * that of {@code aside}, and its own again; whoever has {@code aside} must look there for it,
   * since the process may end between. Of another, which somebody may be reading, it is only looked
   * whether it is a mount point; and so it is where something is called {@code aside} already.
   *
   * @throws IOException if it cannot be looked at, or could not be given its name again
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
   * Whether a file system, or a part of one, is mounted on a directory: by the system's own list of
   * these; where it has none, whether the directory is on another device than what it is in.
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

  /** A path as the list of mounts has it, in characters of a byte each. */
  private static String escaped(String path) {
    return new String(path.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1)
        .replace("\\", "\\134")
        .replace(" ", "\\040")
        .replace("\t", "\\011")
        .replace("\n", "\\012");
  }

  /** Of the file system that a file is on; the same for all where it is not told. */
  private static Object device(Path file) throws IOException {
    try {
      return Files.getAttribute(file, "unix:dev");
    } catch (UnsupportedOperationException | IllegalArgumentException e) {
      return "";
    }
  }

  /** Whether something is there that is more than an empty directory. */
  public static boolean isOccupied(Path there) throws IOException {
    return Files.exists(there) && !(Files.isDirectory(there) && isEmpty(there));
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

  /**
   * Moves a directory to its place, forced to the disk, and what is there aside; if the place
   * cannot be taken, that goes back. A thread that is interrupted before moves nothing; one that is
   * interrupted meanwhile ends what it has begun, and stays interrupted.
   *
   * @param aside what may be there is deleted
   * @param movedOut runs when something is aside, and nothing in its place
   * @throws ClosedByInterruptException if the thread was interrupted before
   */
  public static void replace(Path made, Path place, Path aside, Runnable movedOut)
      throws IOException {
    deleteTree(aside);
    Interruption.requireNone();
    boolean replaces = Files.exists(place);
    if (replaces) {
      Files.move(place, aside, StandardCopyOption.ATOMIC_MOVE);
      movedOut.run();
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
    forceMoved(place);
  }

  /**
   * Moves a file to its place, forced to the disk, as {@link #replace} does a directory.
   *
   * @throws ClosedByInterruptException if the thread was interrupted before
   */
  public static void moveFile(Path made, Path place) throws IOException {
    Interruption.requireNone();
    Files.move(made, place, StandardCopyOption.ATOMIC_MOVE);
    forceMoved(place);
  }

  /**
   * What has moved is there: nobody is to hear that it is not, as a thread says that was told to
   * stop.
   */
  private static void forceMoved(Path place) throws IOException {
    Interruption.defer(
        () -> {
          force(place);
          return true;
        });
  }

  /**
   * Undoes what {@link #replace} has begun when its process was killed: what is aside goes back
   * where its place is free or empty. Where what was made has its place, the rest is deleted.
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
   * Looks whether something has come in the place of what is aside, and it is not what was made for
   * that. Nobody but who has put it there knows which of them is wanted.
   *
   * @throws RefusedOutputException if so
   */
  public static void requireRestorable(Path made, Path place, Path aside) throws IOException {
    if (Files.exists(aside) && Files.exists(made) && isOccupied(place)) {
      throw new RefusedOutputException(
          place,
          "came in the place of what was about to be replaced, which is %s; move one of them away"
              .formatted(aside));
    }
  }
}
