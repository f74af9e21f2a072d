package io.kmodel.indexer.source;

import io.kmodel.indexer.source.crawl.Crawl;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;

/** Receives every file of a crawl, in order, in the thread that lists them. */
@FunctionalInterface
public interface FileListener {
  /** Ignores the files. */
  FileListener NONE = (root, path, size, modified) -> {};

  /**
   * The next file. Files of one root come in byte order of their paths.
   *
   * @param root the directory that the path is relative to
   * @param path names separated by slashes, in the file system's bytes
   * @throws IOException to end the listing
   */
  void file(Path root, byte[] path, long size, FileTime modified) throws IOException;

  /**
   * The same for a file of a server.
   *
   * @param tag its ETag; empty if it has none
   */
  default void file(Path root, byte[] path, long size, FileTime modified, String tag)
      throws IOException {
    file(root, path, size, modified);
  }

  /**
   * The next of the crawl's first splits, which can be read from now on; {@link Crawl#splits}
   * starts with all of them.
   */
  default void leading(List<Split> splits) {}
}
