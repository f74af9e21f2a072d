package io.kmodel.indexer.store.disk;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Resolves paths of files and directories that may not exist yet. */
public final class Places {
  private Places() {}

  /** Whether the paths are equal or one contains the other, after following links. */
  public static boolean meet(Path one, Path other) throws IOException {
    Path first = real(one);
    Path second = real(other);
    return first.startsWith(second) || second.startsWith(first);
  }

  /** Whether a path exists and is in a directory or the directory itself, after following links. */
  public static boolean isWithin(Path path, Path directory) throws IOException {
    return Files.exists(path) && real(path).startsWith(real(directory));
  }

  /**
   * Resolves links and dots as far as the path exists and has a real path. As in the operating
   * system, two dots after a link mean the parent of the link's target.
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
        // The dots cancel the missing name before them; the rest may exist and contain links.
        Path start = i == 1 ? real : real.resolve(rest.subpath(0, i - 1));
        boolean ends = i + 1 == rest.getNameCount();
        return real(ends ? start : start.resolve(rest.subpath(i + 1, rest.getNameCount())));
      }
    }
    // The rest is missing, apart from two dots after a file.
    return real.resolve(rest).normalize();
  }

  private static Path withoutSingleDots(Path absolute) {
    Path place = absolute.getRoot();
    for (Path name : absolute) {
      place = name.toString().equals(".") ? place : place.resolve(name);
    }
    return place;
  }

  /** Resolves everything above the path's last name, which may itself be a link. */
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

  /** The target of a link; the link itself if its target has no path, like a pipe in /dev/fd. */
  public static Path target(Path link) throws IOException {
    try {
      return link.toRealPath();
    } catch (NoSuchFileException e) {
      return link.toAbsolutePath();
    }
  }

  /**
   * Checks, without writing, whether a file or directory can be created together with its missing
   * parents.
   *
   * @throws FileSystemException if not; the message gives the reason
   */
  public static void requireMakable(Path path) throws IOException {
    nearest(path);
  }

  /**
   * Checks whether a file or directory can be created together with its missing parents, by
   * creating a temporary directory. Permissions alone do not tell: nothing can be created in a
   * directory like {@code /proc} even if it is writable.
   *
   * @throws FileSystemException if not; the message gives the reason
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

  /** The existing directory in which the path or its topmost missing parent would be created. */
  private static Path nearest(Path path) throws IOException {
    Path missing = realAbove(path);
    Path directory = missing.getParent();
    while (directory != null && !Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
      missing = directory;
      directory = missing.getParent();
    }
    if (directory == null) {
      throw new FileSystemException(path.toString(), null, "no parent directory above " + missing);
    }
    if (!Files.isDirectory(directory)) {
      throw new FileSystemException(path.toString(), null, directory + " is not a directory");
    }
    if (!Files.isWritable(directory)) {
      throw closed(path, directory);
    }
    return directory;
  }

  private static FileSystemException closed(Path path, Path directory) {
    return new AccessDeniedException(
        path.toString(), null, "cannot write to directory " + directory);
  }
}
