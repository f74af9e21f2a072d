package io.kmodel.indexer.source.list;

import io.kmodel.indexer.source.FileListener;
import io.kmodel.indexer.source.Location;
import io.kmodel.indexer.source.SkipListener;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.list.DirectoryEntry.Directory;
import io.kmodel.indexer.source.list.DirectoryEntry.RegularEntry;
import io.kmodel.indexer.source.list.DirectoryEntry.Skip;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/**
 * Lists the regular files below a directory in byte order of their relative paths, without
 * following links. A directory is ordered among its siblings as if its name ended in a slash. The
 * whole list is therefore in byte order, although only one directory is sorted at a time. Links,
 * pipes, devices and anything that cannot be listed are reported as skips, in the same order.
 *
 * <p>A few threads list directories ahead of the walk (see {@link ParallelLister}), because nearly
 * all time goes into asking the system for the attributes of entries. Memory: the entries of the
 * directories on the current path, and of those listed ahead; each takes its path and some 60
 * bytes. No recursion. An interrupted walk ends with an InterruptedIOException at the next
 * directory or file.
 */
public final class DirectoryWalk {
  private final FileList.Builder files;
  private final List<Path> hidden;

  /** The last name of each hidden path. */
  private final List<byte[]> hiddenNames;

  private final SkipListener skips;
  private final FileListener listener;
  private final ParallelLister.Limits limits;

  /**
   * Creates a walk.
   *
   * @param hidden directories and files that are ignored silently; they need not exist
   */
  public DirectoryWalk(
      FileList.Builder files, List<Path> hidden, SkipListener skips, FileListener listener) {
    this(files, hidden, skips, listener, ParallelLister.Limits.usual());
  }

  public DirectoryWalk(
      FileList.Builder files,
      List<Path> hidden,
      SkipListener skips,
      FileListener listener,
      ParallelLister.Limits limits) {
    this.files = files;
    this.hidden = hidden.stream().filter(path -> path.getFileName() != null).toList();
    this.hiddenNames = this.hidden.stream().map(PathBytes::nameOf).toList();
    this.skips = skips;
    this.listener = listener;
    this.limits = limits;
  }

  /** Adds the files below a directory. Fails if the directory itself cannot be listed. */
  public void walk(Path root) throws IOException {
    try (ParallelLister ahead = new ParallelLister(this::mayBeHidden, limits)) {
      Deque<Iterator<DirectoryEntry>> levels = new ArrayDeque<>();
      levels.push(ahead.entries(Directory.root(root)).iterator());
      while (!levels.isEmpty()) {
        Iterator<DirectoryEntry> level = levels.element();
        if (!level.hasNext()) {
          levels.pop();
          continue;
        }
        if (Thread.currentThread().isInterrupted()) {
          throw new InterruptedIOException("interrupted while " + root + " was being listed");
        }
        DirectoryEntry entry = level.next();
        if (entry instanceof RegularEntry file && !isHidden(root, file)) {
          listener.file(root, file.path, file.size, file.modified);
          files.add(file.path, file.size);
        } else if (entry instanceof Skip skip) {
          String place = PathBytes.place(root, skip.path, skip.path.length);
          skips.skipped(Location.of(place), skip.reason, skip.detail);
        } else if (entry instanceof Directory directory && !isHidden(directory)) {
          levels.push(listed(root, directory, ahead).iterator());
        }
      }
    }
  }

  private boolean isHidden(Directory directory) throws IOException {
    return mayBeHidden(directory) && isHidden(directory.place);
  }

  private boolean isHidden(Path root, RegularEntry file) throws IOException {
    return mayBeHidden(file) && isHidden(PathBytes.resolve(root, file.path, file.path.length));
  }

  private boolean isHidden(Path place) throws IOException {
    for (Path path : hidden) {
      if (Files.exists(path) && Files.isSameFile(place, path)) {
        return true;
      }
    }
    return false;
  }

  private boolean mayBeHidden(DirectoryEntry entry) {
    for (byte[] name : hiddenNames) {
      if (entry.isNamed(name)) {
        return true;
      }
    }
    return false;
  }

  private List<DirectoryEntry> listed(Path root, Directory directory, ParallelLister ahead)
      throws IOException {
    try {
      return ahead.entries(directory);
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      // Without the slash at the end.
      String place = PathBytes.place(root, directory.path, directory.path.length - 1);
      skips.skipped(
          Location.of(place),
          SkipReason.UNREADABLE,
          "cannot list directory: " + SkipReason.detail(e));
      return List.of();
    }
  }
}
