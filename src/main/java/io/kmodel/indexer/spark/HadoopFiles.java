package io.kmodel.indexer.spark;

import io.kmodel.indexer.source.FileBytes;
import io.kmodel.indexer.source.FileStore;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkEnv;
import org.apache.spark.deploy.SparkHadoopUtil;
import org.jspecify.annotations.Nullable;

/**
 * The file systems that Hadoop's libraries read, with Spark's settings of Hadoop. Directories are
 * listed one by one: Hadoop's recursive listing takes a hundred times as long on local disks.
 */
public final class HadoopFiles implements FileStore {
  private static final Set<String> SCHEMES =
      Set.of("hdfs", "webhdfs", "swebhdfs", "viewfs", "s3a", "abfs", "abfss", "gs", "ofs", "o3fs");

  /** Settings of Hadoop, which take long to read, and the process of Spark that they are for. */
  private record Settings(SparkEnv process, Configuration hadoop) {}

  private volatile @Nullable Settings last;

  /** For {@link java.util.ServiceLoader}. */
  public HadoopFiles() {}

  @Override
  public boolean has(String scheme) {
    return SCHEMES.contains(scheme);
  }

  private Configuration settings() {
    // An executor gets Spark's settings from its driver, not as system properties.
    SparkEnv process = SparkEnv.get();
    if (process == null) {
      return SparkHadoopUtil.get().conf();
    }
    Settings settings = last;
    if (settings == null || settings.process() != process) {
      settings = new Settings(process, SparkHadoopUtil.get().newConfiguration(process.conf()));
      last = settings;
    }
    return settings.hadoop();
  }

  private FileSystem of(Path path) throws IOException {
    try {
      return path.getFileSystem(settings());
    } catch (IOException | IllegalArgumentException e) {
      throw new IOException("%s: %s".formatted(path, e.getMessage()), e);
    }
  }

  @Override
  public Listing list(String url) throws IOException {
    Path path = new Path(url);
    FileSystem files = of(path);
    FileStatus status = status(files, path);
    List<Entry> entries = new ArrayList<>();
    if (status.isFile()) {
      Path root = path.getParent();
      entries.add(entry(status, path.getName()));
      return new Listing(root == null ? url : root.toString(), entries);
    }
    walk(files, path, "", entries);
    entries.sort(Comparator.comparing(Entry::name, Arrays::compareUnsigned));
    return new Listing(url, entries);
  }

  private static void walk(FileSystem files, Path directory, String below, List<Entry> entries)
      throws IOException {
    for (FileStatus status : files.listStatus(directory)) {
      String name = below + status.getPath().getName();
      if (status.isDirectory()) {
        walk(files, status.getPath(), name + "/", entries);
      } else if (status.isFile()) {
        entries.add(entry(status, name));
      }
    }
  }

  private static Entry entry(FileStatus file, String name) {
    return new Entry(
        name.getBytes(StandardCharsets.UTF_8),
        file.getPath().toString(),
        file.getLen(),
        Instant.ofEpochMilli(file.getModificationTime()));
  }

  private static FileStatus status(FileSystem files, Path path) throws IOException {
    try {
      return files.getFileStatus(path);
    } catch (FileNotFoundException e) {
      throw missing(path, e);
    }
  }

  private static NoSuchFileException missing(Path path, FileNotFoundException cause) {
    NoSuchFileException missing = new NoSuchFileException(path.toString());
    missing.initCause(cause);
    return missing;
  }

  @Override
  public FileBytes open(String url, long size, Instant modified) throws IOException {
    Path path = new Path(url);
    FileSystem files = of(path);
    FileStatus now = status(files, path);
    if (now.getLen() != size || now.getModificationTime() != modified.toEpochMilli()) {
      throw new IOException(url + " has changed since it was listed");
    }
    return new Bytes(files.open(path), size);
  }

  @Override
  public FileBytes open(String url) throws IOException {
    Path path = new Path(url);
    FileSystem files = of(path);
    long size = status(files, path).getLen();
    return new Bytes(files.open(path), size);
  }

  @Override
  public void write(String url, byte[] content) throws IOException {
    Path path = new Path(url);
    FileSystem files = of(path);
    Path part = path.suffix(".part-" + UUID.randomUUID());
    try (FSDataOutputStream out = files.create(part, true)) {
      out.write(content);
    }
    files.delete(path, false);
    if (!files.rename(part, path)) {
      throw new IOException("%s could not be renamed to %s".formatted(part, path));
    }
  }

  @Override
  public void upload(java.nio.file.Path file, String url) throws IOException {
    Path path = new Path(url);
    of(path).copyFromLocalFile(false, false, new Path(file.toUri()), path);
  }

  @Override
  public void move(String from, String to) throws IOException {
    Path target = new Path(to);
    FileSystem files = of(target);
    if (files.exists(target)) {
      throw new FileAlreadyExistsException(to);
    }
    Path parent = target.getParent();
    if (parent != null) {
      files.mkdirs(parent);
    }
    if (!files.rename(new Path(from), target)) {
      throw new IOException("%s could not be renamed to %s".formatted(from, to));
    }
  }

  @Override
  public void delete(String url) throws IOException {
    Path path = new Path(url);
    of(path).delete(path, true);
  }

  /** The bytes of a stream; a reader that continues where another reading ended does not seek. */
  private static final class Bytes implements FileBytes {
    private final FSDataInputStream in;
    private final long size;

    Bytes(FSDataInputStream in, long size) {
      this.in = in;
      this.size = size;
    }

    @Override
    public synchronized int read(ByteBuffer to, long offset) throws IOException {
      if (offset >= size) {
        return -1;
      }
      if (in.getPos() != offset) {
        in.seek(offset);
      }
      int most = (int) Math.min(to.remaining(), size - offset);
      byte[] target = to.hasArray() ? to.array() : new byte[most];
      int from = to.hasArray() ? to.arrayOffset() + to.position() : 0;
      int n = in.read(target, from, most);
      if (n > 0 && to.hasArray()) {
        to.position(to.position() + n);
      } else if (n > 0) {
        to.put(target, 0, n);
      }
      return n;
    }

    @Override
    public long size() {
      return size;
    }

    @Override
    public synchronized void close() throws IOException {
      in.close();
    }
  }
}
