package io.kmodel.indexer.source;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Opens files as {@link RegularFile} does, one after the other. Where several in a row are of one
 * directory, that is kept open and they are opened relative to it: so neither the system nor Java
 * goes through all the names on the way to each. A directory that is moved or replaced meanwhile is
 * the one that was opened, until the next one's turn comes.
 *
 * <p>What cannot be opened so is opened by its whole path, or fails as that does. Two files are
 * open, as Java does it, for a directory. Not thread-safe.
 */
final class SiblingFiles implements AutoCloseable {
  /** As many of one directory are opened by their paths first: most directories have few. */
  private static final int BY_PATH = 4;

  /** What all paths of the files in a row begin with, up to their names. */
  private byte[] prefix = {};

  private @Nullable Path root;
  private int inARow;
  private @Nullable SecureDirectoryStream<Path> directory;

  /**
   * Opens a file to be read.
   *
   * @param root a directory
   * @param path relative to it, names separated by slashes, in the first {@code length} bytes
   * @throws IOException as of {@link RegularFile#open}
   */
  FileChannel open(Path root, byte[] path, int length) throws IOException {
    int name = startOfName(path, length);
    if (root != this.root || !Arrays.equals(path, 0, name, prefix, 0, prefix.length)) {
      leave();
      this.root = root;
      prefix = Arrays.copyOf(path, name);
      inARow = 0;
    }
    if (inARow++ == BY_PATH) {
      directory = enter(name == 0 ? root : PathBytes.resolve(root, path, name));
    }
    FileChannel channel =
        directory == null ? null : sibling(directory, root.getFileSystem(), path, name, length);
    return channel == null ? RegularFile.open(PathBytes.resolve(root, path, length)) : channel;
  }

  private static int startOfName(byte[] path, int length) {
    int at = length;
    while (at > 0 && path[at - 1] != '/') {
      at--;
    }
    return at;
  }

  @SuppressWarnings("StreamResourceLeak") // closed when the next directory's turn comes
  private static @Nullable SecureDirectoryStream<Path> enter(Path place) {
    try {
      // What has become a pipe is no directory then, and nobody waits for its writer.
      DirectoryStream<Path> stream = Files.newDirectoryStream(place.resolve("."));
      if (stream instanceof SecureDirectoryStream<Path> secure) {
        return secure;
      }
      stream.close();
    } catch (IOException e) {
      // Whoever opens its files is told what is wrong with them.
    }
    return null;
  }

  /** Null if it has to be opened by its path. */
  private static @Nullable FileChannel sibling(
      SecureDirectoryStream<Path> directory, FileSystem system, byte[] path, int from, int to) {
    Path name = PathBytes.name(system, path, from, to);
    try {
      return name == null ? null : RegularFile.open(directory, name);
    } catch (IOException e) {
      // Once more by its path, for a message that has all of it.
      return null;
    }
  }

  /** A directory was only looked at: what goes wrong when it is closed harms no file. */
  private void leave() {
    try {
      close();
    } catch (IOException e) {
      // The next one's files can be read all the same.
    }
  }

  @Override
  public void close() throws IOException {
    SecureDirectoryStream<Path> left = directory;
    directory = null;
    if (left != null) {
      left.close();
    }
  }
}
