package io.kmodel.indexer.source;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Opens files as {@link RegularFile} does, one after the other. Where several in a row are of one
 * directory, that is kept open and they are opened relative to it: so neither the system nor Java
 * goes through all the names on the way to each. A directory that is moved or replaced meanwhile is
 * the one that was opened, until the next one's turn comes.
 *
 * <p>In a directory that has not changed since before the files were listed, a name is still that
 * of the regular file that was listed. So the system is not asked again what it is, which takes
 * longer than opening it; whether the directory has changed is asked every {@value
 * #BELIEVED_MILLIS} ms in place of that, by the time that the system keeps of it and nobody can
 * set. What becomes a pipe in those milliseconds is waited for; so is what becomes one on a server
 * whose clock is seconds behind, before its directory is come to. Where a system knows no such
 * times each name is asked for.
 *
 * <p>What cannot be opened so is opened by its whole path, or fails as that does. Two files are
 * open, as Java does it, for a directory. Not thread-safe.
 */
final class SiblingFiles implements AutoCloseable {
  /** As many of one directory are opened by their paths first: most directories have few. */
  private static final int BY_PATH = 4;

  /** How long it is believed of a directory that it has not changed. */
  private static final long BELIEVED_MILLIS = 10;

  /** What a directory's time of change may be behind that of the system: FAT has steps of 2 s. */
  private static final long TIME_STEP_MILLIS = 3000;

  /** Unlike the time of modification, nobody sets this one; renaming a directory does, too. */
  private static final String CHANGED = "unix:ctime";

  /** When the files began to be listed, in milliseconds since 1970. */
  private final long listedAt;

  /** What all paths of the files in a row begin with, up to their names. */
  private byte[] prefix = {};

  private @Nullable Path root;
  private int inARow;
  private @Nullable SecureDirectoryStream<Path> directory;

  /** Its path. */
  private @Nullable Path place;

  /**
   * When it was changed, if that is surely before it was listed; null if it may have been since.
   */
  private @Nullable FileTime listedState;

  /** When that was asked, by {@code nanoTime}. */
  private long askedAt;

  /**
   * Files of a list.
   *
   * @param listedAt when they began to be listed, in milliseconds since 1970
   */
  SiblingFiles(long listedAt) {
    this.listedAt = listedAt;
  }

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
      place = name == 0 ? root : PathBytes.resolve(root, path, name);
      directory = enter(place);
      listedState = changedBeforeListing(place);
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
  private @Nullable FileChannel sibling(
      SecureDirectoryStream<Path> directory, FileSystem system, byte[] path, int from, int to) {
    Path name = PathBytes.name(system, path, from, to);
    try {
      if (name == null) {
        return null;
      }
      return isAsListed()
          ? RegularFile.openAsListed(directory, name)
          : RegularFile.open(directory, name);
    } catch (IOException e) {
      // Once more by its path, for a message that has all of it.
      return null;
    }
  }

  /** Whether no name has been added to the directory or taken out of it since it was listed. */
  private boolean isAsListed() {
    FileTime state = listedState;
    if (state == null || place == null) {
      return false;
    }
    if (System.nanoTime() - askedAt > 1_000_000 * BELIEVED_MILLIS
        && !state.equals(changedBeforeListing(place))) {
      listedState = null;
      return false;
    }
    return true;
  }

  /**
   * When a directory was changed, renamed or replaced, by the system's own account of that; null
   * where it gives none, or that may have been after the listing began.
   */
  private @Nullable FileTime changedBeforeListing(Path directory) {
    askedAt = System.nanoTime();
    try {
      return Files.getAttribute(directory, CHANGED, LinkOption.NOFOLLOW_LINKS)
                  instanceof FileTime time
              && time.toMillis() > 0
              && time.toMillis() < listedAt - TIME_STEP_MILLIS
          ? time
          : null;
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
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
