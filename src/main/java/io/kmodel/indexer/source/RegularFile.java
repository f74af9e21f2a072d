package io.kmodel.indexer.source;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;

/**
 * Opens files that were regular ones when they were listed. What has become a link, a pipe or a
 * device since is an IOException: opening a pipe would wait for its writer, for ever if there is
 * none. A pipe is seen where the system is asked; {@link SiblingFiles} says where it is not.
 */
final class RegularFile {
  private static final Set<OpenOption> READ =
      Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

  private RegularFile() {}

  static FileChannel open(Path path) throws IOException {
    require(Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
    return FileChannel.open(path, READ);
  }

  /** The same of a name in an open directory. */
  static FileChannel open(SecureDirectoryStream<Path> directory, Path name) throws IOException {
    require(DirectoryEntry.attributes(directory, name));
    return openAsListed(directory, name);
  }

  /** The same of one that is a regular file still, as far as its directory tells. */
  static FileChannel openAsListed(SecureDirectoryStream<Path> directory, Path name)
      throws IOException {
    SeekableByteChannel channel = directory.newByteChannel(name, READ);
    if (channel instanceof FileChannel file) {
      return file;
    }
    channel.close();
    throw new IOException("no file channel");
  }

  private static void require(BasicFileAttributes attributes) throws IOException {
    if (!attributes.isRegularFile()) {
      throw new IOException("no regular file any more");
    }
  }
}
