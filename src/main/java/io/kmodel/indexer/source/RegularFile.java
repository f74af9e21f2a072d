package io.kmodel.indexer.source;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;

/**
 * Opens files that were regular ones when they were listed. What has become a link, a pipe or a
 * device since is an IOException: opening a pipe would wait for its writer, for ever if there is
 * none.
 */
final class RegularFile {
  static final Set<OpenOption> READ = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

  private RegularFile() {}

  static FileChannel open(Path path) throws IOException {
    BasicFileAttributes attributes =
        Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    if (!attributes.isRegularFile()) {
      throw new IOException("no regular file any more");
    }
    return FileChannel.open(path, READ);
  }
}
