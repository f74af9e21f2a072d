package io.kmodel.indexer.indexing.cluster;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import io.kmodel.indexer.source.FileBytes;
import io.kmodel.indexer.source.FileStore;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A store in a directory: {@code stored:///tmp/a} is the file or directory {@code /tmp/a}. */
public final class DirectoryStore implements FileStore {
  static final String SCHEME = "stored://";

  /** For {@link java.util.ServiceLoader}. */
  public DirectoryStore() {}

  private static Path path(String url) {
    return Path.of(url.substring(SCHEME.length()));
  }

  @Override
  public boolean has(String scheme) {
    return SCHEME.startsWith(scheme + ":");
  }

  @Override
  public Listing list(String url) throws IOException {
    Path root = path(url);
    if (!Files.exists(root)) {
      throw new NoSuchFileException(url);
    }
    if (Files.isRegularFile(root)) {
      Path parent = Path.of("/").resolve(root.subpath(0, root.getNameCount() - 1));
      return new Listing(SCHEME + parent, List.of(entry(parent, root)));
    }
    List<Entry> entries = new ArrayList<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        entries.add(entry(root, file));
      }
    }
    entries.sort(Comparator.comparing(Entry::name, Arrays::compareUnsigned));
    return new Listing(url, entries);
  }

  private static Entry entry(Path root, Path file) throws IOException {
    return new Entry(
        root.relativize(file).toString().getBytes(StandardCharsets.UTF_8),
        SCHEME + file,
        Files.size(file),
        Files.getLastModifiedTime(file).toInstant());
  }

  @Override
  public FileBytes open(String url, long size, Instant modified) throws IOException {
    // Times are listed in microseconds.
    long micros = Files.getLastModifiedTime(path(url)).to(TimeUnit.MICROSECONDS);
    if (Files.size(path(url)) != size
        || micros != modified.getEpochSecond() * 1_000_000 + modified.getNano() / 1000) {
      throw new IOException(url + " has changed since it was listed");
    }
    return open(url);
  }

  @Override
  public FileBytes open(String url) throws IOException {
    return FileBytes.of(FileChannel.open(path(url)));
  }

  @Override
  public void write(String url, byte[] content) throws IOException {
    Files.createDirectories(path(url).getParent());
    Files.write(path(url), content);
  }

  /** So that tests have several ranges. */
  @Override
  public long leastReadBytes() {
    return 16 << 10;
  }

  @Override
  public void upload(Path file, String url) throws IOException {
    Files.createDirectories(path(url).getParent());
    Files.copy(file, path(url));
  }

  @Override
  public void move(String from, String to) throws IOException {
    Files.move(path(from), path(to));
  }

  @Override
  public void delete(String url) throws IOException {
    if (Files.isDirectory(path(url))) {
      MoreFiles.deleteRecursively(path(url), RecursiveDeleteOption.ALLOW_INSECURE);
    } else {
      Files.deleteIfExists(path(url));
    }
  }
}
