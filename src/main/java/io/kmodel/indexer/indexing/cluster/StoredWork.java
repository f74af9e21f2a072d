package io.kmodel.indexer.indexing.cluster;

import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.merge.TermRange;
import io.kmodel.indexer.source.FileBytes;
import io.kmodel.indexer.source.FileStore;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.store.disk.Directories;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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

  private String url(String name) {
    return url + "/" + name;
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
    try {
      return readUrl(url(name));
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  private byte[] readUrl(String file) throws IOException {
    try (FileBytes bytes = store.open(file)) {
      ByteBuffer content = ByteBuffer.allocate(Math.toIntExact(bytes.size()));
      while (content.hasRemaining() && bytes.read(content, content.position()) >= 0) {
        // The next bytes.
      }
      return content.array();
    }
  }

  @Override
  Map<String, byte[]> readAll(String directory) throws IOException {
    Map<String, byte[]> contents = new TreeMap<>();
    try {
      for (FileStore.Entry file : store.list(url(directory)).files()) {
        String name = new String(file.name(), StandardCharsets.UTF_8);
        // Others are parts of files that were not finished.
        if (name.indexOf('.') < 0) {
          contents.put(name, readUrl(file.url()));
        }
      }
    } catch (NoSuchFileException e) {
      return contents;
    }
    return contents;
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
    if (read(ClusterJournal.PLAN) == null) {
      throw new NoSuchFileException(url(ClusterJournal.PLAN) + " (the build has ended)");
    }
    return Files.createDirectories(scratch.resolve(kind)).resolve(attempt);
  }

  @Override
  void keep(Path made, String kind, String attempt) throws IOException {
    uploadAll(made, url(kind + "/" + attempt), store);
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
    SplitCopy opened = SplitCopy.open(store, url(SPLITS + "/" + split.name()), split, copy);
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
  Path withoutPostings(SealedSplit split) throws IOException {
    Path copy = copy(split.name());
    try (SplitCopy opened = SplitCopy.open(store, url(SPLITS + "/" + split.name()), split, copy)) {
      opened.fetchDocuments();
    }
    return copy;
  }

  @Override
  Path files(SealedRange range) throws IOException {
    Path copy = copy(range.name());
    for (String name :
        List.of(
            range.part().docs().name(),
            range.part().positions().name(),
            range.part().terms().name())) {
      try (FileBytes bytes = store.open(url(RANGES + "/" + range.name() + "/" + name))) {
        download(bytes, 0, bytes.size(), copy.resolve(name));
      }
    }
    return copy;
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
