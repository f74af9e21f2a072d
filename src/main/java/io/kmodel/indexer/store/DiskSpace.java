package io.kmodel.indexer.store;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whether a disk has room for what is going to be written, asked before it is begun. */
public final class DiskSpace {
  private DiskSpace() {}

  /**
   * Refuses work that the disk has no room for. Where the file system does not tell, it has.
   *
   * @param directory in which will be written, now or when it exists
   * @param bytes that will be there, about
   * @param what takes them, in words
   * @throws FileSystemException with both numbers, if there are fewer
   */
  public static void require(Path directory, long bytes, String what) throws IOException {
    FileStore disk = Files.getFileStore(existing(directory));
    long free = disk.getUsableSpace();
    if (free < bytes && disk.getTotalSpace() > 0) {
      throw new FileSystemException(
          directory.toString(),
          null,
          "no room on the disk: %s takes about %,d bytes, and %,d are free"
              .formatted(what, bytes, free));
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
