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
 * Opens files of a crawl: those of servers, and those on disk that were regular when they were
 * listed. A file on disk that has become a link, pipe or device since then is an IOException. Its
 * type is read before each open, because Java has no open that does not block: opening a pipe would
 * wait for a writer, perhaps forever. Only a file that becomes a pipe between these two system
 * calls can still do that.
 */
public final class RegularFile {
  private static final Set<OpenOption> READ =
      Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

  private RegularFile() {}

  public static FileBytes open(Path path) throws IOException {
    if (path instanceof RemotePath remote) {
      return remote.open();
    }
    BasicFileAttributes attributes =
        Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    if (!attributes.isRegularFile()) {
      throw new IOException("no longer a regular file");
    }
    return FileBytes.of(FileChannel.open(path, READ));
  }
}
