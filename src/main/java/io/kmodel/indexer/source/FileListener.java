package io.kmodel.indexer.source;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;

/** Is told of every file that a crawl consists of, in order, by the thread that lists them. */
@FunctionalInterface
public interface FileListener {
  /** Does not listen. */
  FileListener NONE = (root, path, size, modified) -> {};

  /**
   * The next file. Files of one root come in byte order of their paths.
   *
   * @param root the directory that the path is relative to
   * @param path names separated by slashes, in the file system's bytes
   * @throws IOException which ends the listing
   */
  void file(Path root, byte[] path, long size, FileTime modified) throws IOException;

  /**
   * The crawl's first splits, which can be read now; at most once, and before the crawl's last file
   * unless that is all that was missing. The crawl's {@link Crawl#splits} begin with the same.
   */
  default void leading(List<Split> splits) {}
}
