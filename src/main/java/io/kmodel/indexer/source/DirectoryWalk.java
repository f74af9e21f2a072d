package io.kmodel.indexer.source;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * Lists the regular files below a directory in byte order of their relative paths, without
 * following links. A directory is ordered among its siblings as if its name ended in a slash; so
 * the whole list is in byte order of paths, though only one directory at a time is sorted. Links,
 * pipes, devices and what cannot be listed are reported as skips, in the same order.
 *
 * <p>Directories are listed some ahead of the walk, by a few threads: nearly all the time goes into
 * asking the system for what each entry is. Memory: the entries of the directories on the way down,
 * and of up to {@value #AHEAD} ahead on each level, about 300 bytes each. No recursion.
 */
final class DirectoryWalk {
  /** Directories of a level that are listed before the walk gets there. */
  private static final int AHEAD = 16;

  private static final int MOST_THREADS = 8;

  private final FileList.Builder files;
  private final List<Path> hidden;
  private final SkipListener skips;
  private final FileListener listener;

  /**
   * A walk.
   *
   * @param hidden directories that are passed over in silence; they need not exist
   */
  DirectoryWalk(
      FileList.Builder files, List<Path> hidden, SkipListener skips, FileListener listener) {
    this.files = files;
    this.hidden = hidden;
    this.skips = skips;
    this.listener = listener;
  }

  /** Adds the files below a directory; that the directory itself cannot be listed is an error. */
  void walk(Path root) throws IOException {
    int threads = Math.min(MOST_THREADS, Runtime.getRuntime().availableProcessors());
    ExecutorService listers =
        Executors.newFixedThreadPool(
            threads, Thread.ofPlatform().daemon().name("list-", 1).factory());
    try {
      walk(root, listers);
    } finally {
      listers.shutdownNow();
    }
  }

  private void walk(Path root, ExecutorService listers) throws IOException {
    Deque<Level> levels = new ArrayDeque<>();
    levels.push(new Level(new byte[0], list(root), listers));
    while (!levels.isEmpty()) {
      Level level = levels.element();
      Entry entry = level.next();
      if (entry == null) {
        levels.pop();
        continue;
      }
      byte[] path = concat(level.prefix, entry.name);
      if (entry.skip != null) {
        skips.skipped(entry.path.toString(), entry.skip, entry.detail);
      } else if (entry.directory) {
        if (!isHidden(entry.path)) {
          descend(levels, path, entry, listers);
        }
      } else {
        listener.file(root, path, entry.size, entry.modified);
        files.add(path, entry.size);
      }
    }
  }

  private boolean isHidden(Path directory) throws IOException {
    for (Path path : hidden) {
      if (directory.endsWith(path.getFileName())
          && Files.exists(path)
          && Files.isSameFile(directory, path)) {
        return true;
      }
    }
    return false;
  }

  private void descend(Deque<Level> levels, byte[] prefix, Entry directory, ExecutorService listers)
      throws IOException {
    try {
      levels.push(new Level(prefix, directory.listed(), listers));
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      skips.skipped(directory.path.toString(), SkipReason.UNREADABLE, "directory not listed: " + e);
    }
  }

  /** All entries or an exception: half a directory would look like a whole one. */
  private static List<Entry> list(Path directory) throws IOException {
    List<Entry> entries = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
      for (Path path : stream) {
        entries.add(Entry.of(path));
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    Collections.sort(entries);
    return entries;
  }

  private static byte[] concat(byte[] prefix, byte[] name) {
    byte[] path = Arrays.copyOf(prefix, prefix.length + name.length);
    System.arraycopy(name, 0, path, prefix.length, name.length);
    return path;
  }

  /** One directory being walked; the prefix ends in a slash or is empty. */
  private static final class Level {
    final byte[] prefix;
    private final List<Entry> entries;
    private final ExecutorService listers;
    private int at;

    /** Entries before this have been looked at for directories to list. */
    private int ahead;

    private int beingListed;

    Level(byte[] prefix, List<Entry> entries, ExecutorService listers) {
      this.prefix = prefix;
      this.entries = entries;
      this.listers = listers;
    }

    /** The next entry; null behind the last. */
    @Nullable Entry next() {
      if (at == entries.size()) {
        return null;
      }
      // The last entry is done with, and with a directory all that was below.
      if (at > 0 && entries.get(at - 1).directory) {
        beingListed--;
      }
      while (beingListed < AHEAD && ahead < entries.size()) {
        Entry entry = entries.get(ahead++);
        if (entry.directory) {
          FutureTask<List<Entry>> listing = new FutureTask<>(() -> list(entry.path));
          entry.listing = listing;
          listers.execute(listing);
          beingListed++;
        }
      }
      return entries.get(at++);
    }
  }

  private static final class Entry implements Comparable<Entry> {
    private static final FileTime NEVER = FileTime.fromMillis(0);

    final Path path;
    final byte[] name;
    final boolean directory;
    final long size;
    final FileTime modified;
    final @Nullable SkipReason skip;
    final String detail;

    /** Of a directory, once it was asked for. */
    private @Nullable FutureTask<List<Entry>> listing;

    private Entry(Path path, @Nullable SkipReason skip, String why) {
      this(path, false, 0, NEVER, skip, why);
    }

    private Entry(
        Path path,
        boolean directory,
        long size,
        FileTime modified,
        @Nullable SkipReason skip,
        String why) {
      this.path = path;
      byte[] bytes = PathBytes.nameOf(path);
      this.name = directory ? concat(bytes, new byte[] {'/'}) : bytes;
      this.directory = directory;
      this.size = size;
      this.modified = modified;
      this.skip = skip;
      this.detail = why;
    }

    static Entry of(Path path) {
      BasicFileAttributes attributes;
      try {
        attributes =
            Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      } catch (IOException e) {
        return new Entry(path, SkipReason.UNREADABLE, "no attributes: " + e);
      }
      FileTime modified = attributes.lastModifiedTime();
      if (attributes.isDirectory()) {
        return new Entry(path, true, 0, modified, null, "");
      }
      if (attributes.isRegularFile()) {
        return new Entry(path, false, attributes.size(), modified, null, "");
      }
      String what = attributes.isSymbolicLink() ? "symbolic link" : "pipe, socket or device";
      return new Entry(path, SkipReason.NOT_A_FILE, what);
    }

    /** What is in the directory; asked for once. */
    List<Entry> listed() throws IOException {
      FutureTask<List<Entry>> asked = listing;
      if (asked == null) {
        return list(path);
      }
      listing = null;
      // Here, if nobody has begun: cheaper than to wait.
      asked.run();
      try {
        return asked.get();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while " + path + " was listed");
      } catch (ExecutionException e) {
        if (e.getCause() instanceof IOException failure) {
          throw failure;
        }
        throw new IllegalStateException(e.getCause());
      }
    }

    @Override
    public int compareTo(Entry other) {
      return Arrays.compareUnsigned(name, other.name);
    }
  }
}
