package io.kmodel.indexer.store.disk;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/** Whether there must be enough disk space before writing starts. */
public enum DiskSpace {
  /** There must be as much as the work is estimated to take. */
  CHECKED,
  /** The work is tried in any case. */
  UNCHECKED;

  /**
   * Rejects work that the disk has no room for, if that is checked. If the file system does not
   * report free space, the check passes.
   *
   * @param directory where files will be written; need not exist yet
   * @param bytes their approximate size
   * @param what description of what needs the space
   * @throws FileSystemException if there is too little space; the message contains both numbers
   */
  public void require(Path directory, long bytes, String what) throws IOException {
    if (this == UNCHECKED) {
      return;
    }
    long free = free(directory).orElse(Long.MAX_VALUE);
    if (free < bytes) {
      throw new FileSystemException(
          directory.toString(),
          null,
          "not enough disk space: %s takes about %,d bytes, but only %,d are free; use --ignore-free-space to try anyway"
              .formatted(what, bytes, free));
    }
  }

  /**
   * The free bytes of the disk; empty if the file system does not report them. In a changed root
   * directory, Java may not find the file system at all.
   *
   * @param directory need not exist yet
   */
  public static OptionalLong free(Path directory) {
    try {
      FileStore disk = Files.getFileStore(existing(directory));
      return disk.getTotalSpace() > 0
          ? OptionalLong.of(disk.getUsableSpace())
          : OptionalLong.empty();
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }

  private static Path existing(Path directory) {
    Path path = directory.toAbsolutePath();
    for (Path parent = path.getParent();
        !Files.exists(path) && parent != null;
        parent = path.getParent()) {
      path = parent;
    }
    return path;
  }
}
