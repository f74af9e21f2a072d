package io.kmodel.indexer.indexing.cluster;

import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.SealedPart;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.merge.TermRange;
import io.kmodel.indexer.source.FileBytes;
import io.kmodel.indexer.source.FileStore;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.store.FileSeal;
import io.kmodel.indexer.store.disk.Directories;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The work of a build in a store of files, such as HDFS. Each process writes on its own disk and
 * uploads complete files; of a split it downloads the slices that it reads. Disk: the attempts of
 * tasks that run; for the driver also the whole index, and all splits without their postings.
 */
final class StoredWork extends Workspace {
  private static final int CHUNK_BYTES = 1 << 20;

  private final String url;
  private final FileStore store;
  private final Path scratch;

  /**
   * The work at a URL.
   *
   * @param scratch a directory on this machine's own disk
   */
  StoredWork(String url, FileStore store, Path scratch) {
    this.url = url;
    this.store = store;
    this.scratch = scratch;
  }

  @Override
  String place() {
    return url;
  }

  @Override
  Path local() {
    return scratch;
  }

  /** The URL of a file; of the whole for an empty name. */
  private String url(String name) {
    return name.isEmpty() ? url : url + "/" + name;
  }

  @Override
  void create() throws IOException {
    Files.createDirectories(scratch);
  }

  @Override
  void delete(String name) throws IOException {
    store.delete(url(name));
  }

  @Override
  void write(String name, byte[] content) throws IOException {
    store.write(url(name), content);
  }

  @Override
  byte @Nullable [] read(String name) throws IOException {
    return store.read(url(name));
  }

  @Override
  Map<String, byte[]> readAll(String directory) throws IOException {
    Map<String, byte[]> contents = new TreeMap<>();
    for (FileStore.Entry file : store.files(url(directory))) {
      // Others are parts of files that were not finished.
      byte[] content = file.text().indexOf('.') < 0 ? store.read(file.url()) : null;
      if (content != null) {
        contents.put(file.text(), content);
      }
    }
    return contents;
  }

  @Override
  Map<String, Instant> attempts(String kind) throws IOException {
    Map<String, Instant> attempts = new TreeMap<>();
    for (FileStore.Entry file : store.files(url(kind))) {
      String name = file.text().substring(0, Math.max(0, file.text().indexOf('/')));
      if (!name.isEmpty()) {
        attempts.merge(name, file.modified(), (one, other) -> one.isAfter(other) ? one : other);
      }
    }
    return attempts;
  }

  @Override
  void save(String name) throws IOException {
    store.delete(url(name));
    store.upload(scratch.resolve(name), url(name));
  }

  @Override
  void restore(String name) throws IOException {
    try (FileBytes bytes = store.open(url(name))) {
      download(bytes, 0, bytes.size(), scratch.resolve(name));
    }
  }

  @Override
  Path begin(String kind, String attempt) throws IOException {
    requirePlan();
    return Files.createDirectories(scratch.resolve(kind)).resolve(attempt);
  }

  private void requirePlan() throws IOException {
    if (read(ClusterJournal.PLAN) == null) {
      throw new NoSuchFileException(url(ClusterJournal.PLAN) + " (the build has ended)");
    }
  }

  @Override
  void keep(Path made, String kind, String attempt) throws IOException {
    requirePlan();
    String to = url(kind + "/" + attempt);
    try {
      uploadAll(made, to, store);
    } catch (IOException | RuntimeException e) {
      try {
        store.delete(to);
      } catch (IOException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
    Directories.deleteTree(made);
  }

  /** Uploads the files of a directory, the one that names all others last. */
  static void uploadAll(Path made, String to, FileStore store) throws IOException {
    try (Stream<Path> files = Files.list(made)) {
      List<Path> all = files.sorted().toList();
      for (Path file : all) {
        if (Files.isRegularFile(file) && !file.endsWith(InvertedIndex.METADATA)) {
          store.upload(file, to + "/" + file.getFileName());
        }
      }
      for (Path file : all) {
        if (file.endsWith(InvertedIndex.METADATA)) {
          store.upload(file, to + "/" + file.getFileName());
        }
      }
    }
  }

  @Override
  OpenSplit open(SealedSplit split) throws IOException {
    Path copy = copy(split.name());
    SplitCopy opened = opened(split, copy);
    return new OpenSplit() {
      @Override
      public InvertedIndex index() {
        return opened.index();
      }

      @Override
      public void need(TermRange terms) throws IOException {
        opened.fetch(terms);
      }

      @Override
      public void close() throws IOException {
        opened.close();
        Directories.deleteTree(copy);
      }
    };
  }

  /** Opens a split, or deletes its copy if that fails. */
  private SplitCopy opened(SealedSplit split, Path copy) throws IOException {
    try {
      return SplitCopy.open(store, url(SPLITS + "/" + split.name()), split, copy);
    } catch (IOException | RuntimeException e) {
      Directories.deleteTree(copy);
      throw e;
    }
  }

  /** The slices that are fetched later are compared with their checksums then. */
  @Override
  boolean isSound(SealedSplit split) throws IOException {
    try (OpenSplit open = open(split)) {
      return open.index().documentCount() == split.documents();
    } catch (CorruptIndexException e) {
      return false;
    }
  }

  private Path copy(String name) throws IOException {
    Files.createDirectories(scratch);
    return Files.createTempDirectory(scratch, name);
  }

  @Override
  Path splitDirectory(SealedSplit split) {
    throw new BuildException("shards are made in a directory, not in " + url);
  }

  @Override
  Path withoutPostings(SealedSplit split) throws IOException {
    Path copy = copy(split.name());
    try (SplitCopy opened = opened(split, copy)) {
      opened.fetchDocuments();
      return copy;
    } catch (IOException | RuntimeException e) {
      Directories.deleteTree(copy);
      throw e;
    }
  }

  @Override
  Path files(SealedRange range) throws IOException {
    Path copy = copy(range.name());
    SealedPart part = range.part();
    try {
      for (FileSeal file : List.of(part.docs(), part.positions(), part.terms())) {
        try (FileBytes bytes = store.open(url(RANGES + "/" + range.name() + "/" + file.name()))) {
          download(bytes, 0, bytes.size(), file.in(copy));
        }
      }
      return copy;
    } catch (IOException | RuntimeException e) {
      Directories.deleteTree(copy);
      throw e;
    }
  }

  @Override
  long leastRangeBytes() {
    return store.leastReadBytes();
  }

  @Override
  IOException damaged(CorruptIndexException e) {
    return new IOException(e.getMessage() + "; start over with --restart", e);
  }

  @Override
  void release(Path copy) throws IOException {
    Directories.deleteTree(copy);
  }

  /**
   * Copies bytes of a file to the same offsets of another one, which may exist.
   *
   * @throws IOException if the file is shorter
   */
  static void download(FileBytes from, long start, long end, Path to) throws IOException {
    try (FileChannel out =
        FileChannel.open(to, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES);
      for (long at = start; at < end; ) {
        chunk.clear().limit((int) Math.min(CHUNK_BYTES, end - at));
        if (from.read(chunk, at) < 0) {
          throw new IOException("%s: the original ends at byte %,d".formatted(to, at));
        }
        chunk.flip();
        while (chunk.hasRemaining()) {
          at += out.write(chunk, at);
        }
      }
    }
  }
}
