package io.kmodel.indexer.faults;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a disk would hold of a directory tree after the power failed: the content that a file had
 * when it was last forced, and the names that a directory had when it was last forced. A file that
 * was never forced is empty. A rename is on the disk when the new directory is. Files stay open, so
 * that no other one gets their key.
 */
public final class ForcedDisk implements AutoCloseable {
  /** A file, or a directory with the keys of its entries. */
  private record Entry(Object key, boolean isDirectory) {}

  private final Path root;
  private final Map<Object, byte[]> contents = new HashMap<>();
  private final Map<Object, Map<String, Entry>> names = new HashMap<>();
  private final List<FileChannel> open = new ArrayList<>();

  /** All that is there now is on the disk. */
  public ForcedDisk(Path root) throws IOException {
    this.root = root;
    forceAll(root);
  }

  private void forceAll(Path path) throws IOException {
    forced(path);
    if (Files.isDirectory(path)) {
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
        for (Path entry : entries) {
          forceAll(entry);
        }
      }
    }
  }

  /** Notes that a file or directory was forced. */
  public synchronized void forced(Path path) throws IOException {
    if (!path.toAbsolutePath().startsWith(root.toAbsolutePath())) {
      return;
    }
    Entry entry = entry(path);
    if (entry == null) {
      return;
    }
    open.add(FileChannel.open(path, StandardOpenOption.READ));
    if (entry.isDirectory()) {
      Map<String, Entry> now = now(path);
      // A file system with a journal renames at once: the old name is gone where the new one is.
      names.values().forEach(of -> of.values().removeAll(now.values()));
      names.put(entry.key(), now);
    } else {
      contents.put(entry.key(), Files.readAllBytes(path));
    }
  }

  private static @Nullable Entry entry(Path path) throws IOException {
    try {
      BasicFileAttributes of = Files.readAttributes(path, BasicFileAttributes.class);
      return new Entry(Objects.requireNonNull(of.fileKey()), of.isDirectory());
    } catch (NoSuchFileException e) {
      return null; // deleted meanwhile
    }
  }

  private static Map<String, Entry> now(Path directory) throws IOException {
    Map<String, Entry> now = new TreeMap<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path path : entries) {
        Entry entry = entry(path);
        if (entry != null) {
          now.put(path.getFileName().toString(), entry);
        }
      }
    } catch (NoSuchFileException e) {
      return now;
    }
    return now;
  }

  /** Writes what only forces have brought to the disk. */
  public synchronized void forcedNames(Path to) throws IOException {
    write(Objects.requireNonNull(entry(root)), to, null);
  }

  /** The same if all names are on the disk, as of a file system that writes them first. */
  public synchronized void allNames(Path to) throws IOException {
    write(Objects.requireNonNull(entry(root)), to, root);
  }

  private void write(Entry entry, Path to, @Nullable Path real) throws IOException {
    if (!entry.isDirectory()) {
      Files.write(to, contents.getOrDefault(entry.key(), new byte[0]));
      return;
    }
    Files.createDirectories(to);
    Map<String, Entry> below = real == null ? names.getOrDefault(entry.key(), Map.of()) : now(real);
    for (Map.Entry<String, Entry> name : below.entrySet()) {
      Path child = real == null ? null : real.resolve(name.getKey());
      write(name.getValue(), to.resolve(name.getKey()), child);
    }
  }

  @Override
  public void close() throws IOException {
    for (FileChannel channel : open) {
      channel.close();
    }
  }
}
