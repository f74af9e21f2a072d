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
   * The next of the crawl's first splits, which can be read now; the crawl's {@link Crawl#splits}
   * begin with all of them.
   */
  default void leading(List<Split> splits) {}
}
