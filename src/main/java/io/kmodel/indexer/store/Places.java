package io.kmodel.indexer.store;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Where files and directories are that may not be there yet. */
public final class Places {
  private Places() {}

  /** Whether they are one place, or one is inside the other; links are followed. */
  public static boolean meet(Path one, Path other) throws IOException {
    Path first = real(one);
    Path second = real(other);
    return first.startsWith(second) || second.startsWith(first);
  }

  /** Whether what is there is a directory, or something within it; links are followed. */
  public static boolean isWithin(Path path, Path directory) throws IOException {
    return Files.exists(path) && real(path).startsWith(real(directory));
  }

  /**
   * The path without links and dots, as far as it is there and has one. Two dots behind a link are
   * what the directory is in that it leads to, as for the system.
   */
  public static Path real(Path path) throws IOException {
    Path absolute = withoutSingleDots(path.toAbsolutePath());
    Path there = absolute;
    while (!Files.exists(there)) {
      Path parent = there.getParent();
      if (parent == null) {
        return absolute.normalize();
      }
      there = parent;
    }
    Path real = target(there);
    int missing = there.getNameCount();
    if (missing == absolute.getNameCount()) {
      return real;
    }
    Path rest = absolute.subpath(missing, absolute.getNameCount());
    for (int i = 1; i < rest.getNameCount(); i++) {
      if (rest.getName(i).toString().equals("..")) {
        // Behind what is missing, which they take back; what follows may be there, as a link, too.
        Path start = i == 1 ? real : real.resolve(rest.subpath(0, i - 1));
        boolean ends = i + 1 == rest.getNameCount();
        return real(ends ? start : start.resolve(rest.subpath(i + 1, rest.getNameCount())));
      }
    }
    // What is left is missing, but for two dots behind a file.
    return real.resolve(rest).normalize();
  }

  private static Path withoutSingleDots(Path absolute) {
    Path place = absolute.getRoot();
    for (Path name : absolute) {
      place = name.toString().equals(".") ? place : place.resolve(name);
    }
    return place;
  }

  /** The same of all that is above the path's last name, which may be a link. */
  public static Path realAbove(Path path) throws IOException {
    Path absolute = path.toAbsolutePath();
    Path parent = absolute.getParent();
    Path name = absolute.getFileName();
    return parent == null || name == null || isDots(name)
        ? real(absolute)
        : real(parent).resolve(name);
  }

  private static boolean isDots(Path name) {
    return name.toString().equals(".") || name.toString().equals("..");
  }

  /** Where a link leads to; itself where that has no path, as a pipe that /dev/fd names. */
  public static Path target(Path link) throws IOException {
    try {
      return link.toRealPath();
    } catch (NoSuchFileException e) {
      return link.toAbsolutePath();
    }
  }

  /**
   * Looks, without writing, whether a file or directory can be made, with those above it that are
   * missing.
   *
   * @throws FileSystemException if not; it says where the reason lies
   */
  public static void requireMakable(Path path) throws IOException {
    nearest(path);
  }

  /**
   * Finds out whether a file or directory can be made, with those above it that are missing, by
   * making one, which is deleted. That is more than systems say: in a directory like {@code /proc}
   * nothing can be made, whoever may write there.
   *
   * @throws FileSystemException if not; it says where the reason lies
   */
  public static void tryMaking(Path path) throws IOException {
    Path directory = nearest(path);
    try {
      Files.delete(Files.createTempDirectory(directory, "indexer"));
    } catch (IOException e) {
      FileSystemException failure = closed(path, directory);
      failure.initCause(e);
      throw failure;
    }
  }

  /** The directory in which the path, or the first above it that is missing, would be made. */
  private static Path nearest(Path path) throws IOException {
    Path missing = realAbove(path);
    Path directory = missing.getParent();
    while (directory != null && !Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
      missing = directory;
      directory = missing.getParent();
    }
    if (directory == null) {
      throw new FileSystemException(path.toString(), null, "nothing is above " + missing);
    }
    if (!Files.isDirectory(directory)) {
      throw new FileSystemException(path.toString(), null, directory + " is no directory");
    }
    if (!Files.isWritable(directory)) {
      throw closed(path, directory);
    }
    return directory;
  }

  private static FileSystemException closed(Path path, Path directory) {
    return new AccessDeniedException(
        path.toString(), null, "nothing can be written in " + directory);
  }
}
