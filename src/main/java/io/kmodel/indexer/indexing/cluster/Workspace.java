package io.kmodel.indexer.indexing.cluster;

import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.merge.TermRange;
import io.kmodel.indexer.source.FileStore;
import io.kmodel.indexer.source.RemotePath;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.store.disk.Directories;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where the driver and the tasks of a build keep their work: a directory that all of them see, or a
 * store of files, which each copies from and to its own disk. Safe for many threads.
 */
abstract class Workspace {
  /** Indexes of splits. */
  static final String SPLITS = "splits";

  /** Lucene indexes of neighboring splits. */
  static final String SHARDS = "shards";

  /** Merged ranges of terms. */
  static final String RANGES = "ranges";

  /** An index of a split, open for reading. */
  interface OpenSplit extends Closeable {
    InvertedIndex index();

    /** Makes the dictionary and the postings of a range of terms readable. */
    void need(TermRange terms) throws IOException;
  }

  /**
   * The workspace at a path or a URL.
   *
   * @param scratch a directory on this machine's own disk
   * @throws BuildException if there is no store for the URL
   */
  static Workspace of(String place, Path scratch) {
    if (!RemotePath.isUrl(place)) {
      return new SharedDirectory(Path.of(place));
    }
    FileStore store = FileStore.of(place);
    if (store == null) {
      throw new BuildException(
          "%s cannot hold the work of a cluster: Hadoop knows no such file system"
              .formatted(place));
    }
    return new StoredWork(place, store, scratch);
  }

  /** Makes the directory of an attempt. */
  @FunctionalInterface
  interface Maker<T> {
    /**
     * Makes it.
     *
     * @param directory does not exist, but its parent does
     * @param name of the attempt
     * @return the result of the task
     */
    T make(Path directory, String name) throws IOException, InterruptedException;
  }

  /**
   * Makes an attempt at a task. Its directory is kept for other processes, or deleted if the
   * attempt fails.
   *
   * @param number of the task
   * @throws IOException if the workspace does not exist, because the build has ended; or the
   *     attempt failed
   */
  final <T> T attempt(String kind, int number, Maker<T> maker)
      throws IOException, InterruptedException {
    String name = "%06d-%s".formatted(number, UUID.randomUUID());
    Path made = begin(kind, name);
    boolean isKept = false;
    try {
      T result = maker.make(made, name);
      keep(made, kind, name);
      isKept = true;
      return result;
    } finally {
      if (!isKept) {
        Directories.deleteTree(made);
      }
    }
  }

  /**
   * Deletes attempts that no result named, and that nothing was written to since a time.
   *
   * @param kept names of attempts that results named
   * @return how many were deleted
   */
  final int deleteOrphans(String kind, Set<String> kept, Instant since) throws IOException {
    int deleted = 0;
    for (Map.Entry<String, Instant> attempt : attempts(kind).entrySet()) {
      if (!kept.contains(attempt.getKey()) && attempt.getValue().isBefore(since)) {
        try {
          delete(kind + "/" + attempt.getKey());
          deleted++;
        } catch (NoSuchFileException e) {
          // Its task deletes it, too.
        }
      }
    }
    return deleted;
  }

  /** The names of all attempts at tasks of a kind, and when they were last written to. */
  abstract Map<String, Instant> attempts(String kind) throws IOException;

  /** The path or URL that other processes find it by. */
  abstract String place();

  /** A directory on disk for files of the driver. */
  abstract Path local();

  /** Creates it, if it does not exist. */
  abstract void create() throws IOException;

  /** Deletes one of its directories or files, if it exists. */
  abstract void delete(String name) throws IOException;

  /** Writes a small file, or replaces one, and forces it to disk. */
  abstract void write(String name, byte[] content) throws IOException;

  /** The content of a small file; null without one. */
  abstract byte @Nullable [] read(String name) throws IOException;

  /**
   * The content of a small file that exists.
   *
   * @throws NoSuchFileException without one
   */
  final byte[] content(String name) throws IOException {
    byte[] content = read(name);
    if (content == null) {
      throw new NoSuchFileException(place() + "/" + name);
    }
    return content;
  }

  /** The contents of all small files of a directory, by name. */
  abstract Map<String, byte[]> readAll(String directory) throws IOException;

  /** Makes a file of {@link #local} survive the driver. */
  abstract void save(String name) throws IOException;

  /** Brings a saved file back to {@link #local}. */
  abstract void restore(String name) throws IOException;

  /**
   * The path at which a task writes the directory of an attempt; its parent exists.
   *
   * @throws IOException if the workspace does not exist, because the build has ended
   */
  abstract Path begin(String kind, String attempt) throws IOException;

  /** Keeps the finished directory of an attempt for other processes. */
  abstract void keep(Path made, String kind, String attempt) throws IOException;

  /** Opens a split, which may be damaged wherever it is not read. */
  abstract OpenSplit open(SealedSplit split) throws IOException;

  /** Whether a split is complete and undamaged, as far as that can be told without downloads. */
  abstract boolean isSound(SealedSplit split) throws IOException;

  /**
   * The directory of a split.
   *
   * @throws BuildException if it is in a store
   */
  abstract Path splitDirectory(SealedSplit split);

  /** A directory on disk with all of a split but its terms and postings, which may be missing. */
  abstract Path withoutPostings(SealedSplit split) throws IOException;

  /** A directory on disk with a range's files; {@link #release} it after use. */
  abstract Path files(SealedRange range) throws IOException;

  /**
   * Bytes of a range of terms in the largest split, at least, to be worth the opening of splits.
   */
  abstract long leastRangeBytes();

  /** The failure of a build whose finished work was damaged, with advice. */
  abstract IOException damaged(CorruptIndexException e);

  /** Deletes a directory if it is a copy. */
  abstract void release(Path directory) throws IOException;
}
