package io.kmodel.indexer.source.list;

import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.list.ParallelLister.Listing;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * An entry of a directory: a regular file, a directory, or something else, which is skipped.
 * Memory: for a file, its path and some 60 bytes. Immutable except for the state of a directory,
 * which belongs to {@link ParallelLister}.
 */
abstract sealed class DirectoryEntry {
  /** The order of a walk. */
  static final Comparator<DirectoryEntry> ORDER =
      (one, other) -> Arrays.compareUnsigned(one.path, other.path);

  private static final byte[] SLASH = {'/'};

  /**
   * Names relative to the root of the walk, separated by slashes; a directory's path ends in a
   * slash.
   */
  final byte[] path;

  private DirectoryEntry(byte[] path) {
    this.path = path;
  }

  static final class RegularEntry extends DirectoryEntry {
    final long size;
    final FileTime modified;

    private RegularEntry(byte[] path, BasicFileAttributes attributes) {
      super(path);
      this.size = attributes.size();
      this.modified = attributes.lastModifiedTime();
    }
  }

  static final class Directory extends DirectoryEntry {
    final Path place;

    /** Whether a thread has started to list it; guarded by the lock of {@link ParallelLister}. */
    boolean begun;

    /** Kept until the walk takes it; guarded by the same lock. */
    @Nullable Listing listing;

    private Directory(byte[] path, Path place) {
      super(path);
      this.place = place;
    }

    static Directory root(Path place) {
      return new Directory(new byte[0], place);
    }
  }

  static final class Skip extends DirectoryEntry {
    final SkipReason reason;
    final String detail;

    private Skip(byte[] path, SkipReason reason, String detail) {
      super(path);
      this.reason = reason;
      this.detail = detail;
    }
  }

  /** Whether the entry's name is {@code name}. */
  final boolean isNamed(byte[] name) {
    int end = this instanceof Directory ? path.length - 1 : path.length;
    int start = end - name.length;
    return (start == 0 || (start > 0 && path[start - 1] == '/'))
        && Arrays.equals(path, start, end, name, 0, name.length);
  }

  /** The entry for a path that a directory stream has just returned. */
  static DirectoryEntry of(Directory parent, DirectoryStream<Path> stream, Path place) {
    Path last = place.getFileName();
    byte[] path = concat(parent.path, PathBytes.nameOf(last));
    BasicFileAttributes attributes;
    try {
      attributes = attributes(stream, last, place);
    } catch (IOException e) {
      return new Skip(
          path, SkipReason.UNREADABLE, "cannot read attributes: " + SkipReason.detail(e));
    }
    if (attributes.isRegularFile()) {
      return new RegularEntry(path, attributes);
    }
    if (attributes.isDirectory()) {
      return new Directory(concat(path, SLASH), place);
    }
    String what = attributes.isSymbolicLink() ? "symbolic link" : "pipe, socket or device";
    return new Skip(path, SkipReason.NOT_A_FILE, what);
  }

  private static byte[] concat(byte[] start, byte[] end) {
    byte[] path = Arrays.copyOf(start, start.length + end.length);
    System.arraycopy(end, 0, path, start.length, end.length);
    return path;
  }

  /**
   * Reads attributes relative to the open directory if possible, so that the system need not
   * resolve the whole path again.
   */
  private static BasicFileAttributes attributes(DirectoryStream<Path> stream, Path last, Path place)
      throws IOException {
    if (stream instanceof SecureDirectoryStream<Path> directory) {
      try {
        return attributes(directory, last);
      } catch (IOException e) {
        // Try again, for a message with the whole path.
      }
    }
    return Files.readAttributes(place, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
  }

  private static BasicFileAttributes attributes(SecureDirectoryStream<Path> directory, Path name)
      throws IOException {
    BasicFileAttributeView view =
        directory.getFileAttributeView(
            name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    if (view == null) {
      throw new IOException("cannot read attributes relative to an open directory");
    }
    return view.readAttributes();
  }
}
