package io.kmodel.indexer.source;

import com.google.common.collect.Lists;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * Files that another program's libraries read, such as Hadoop's. A provider is found on the class
 * path by {@link ServiceLoader}. Thread-safe.
 */
public interface FileStore {
  /**
   * A file of a store.
   *
   * @param name below the root, in UTF-8
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Entry(byte[] name, String url, long size, Instant modified) {
    /** The name as text. */
    public String text() {
      return new String(name, StandardCharsets.UTF_8);
    }
  }

  /**
   * The files of a URL.
   *
   * @param root URL that their names are relative to
   * @param files in byte order of their names
   */
  record Listing(String root, List<Entry> files) {
    public Listing {
      files = List.copyOf(files);
    }
  }

  /** Whether it reads URLs that start with this scheme, such as {@code hdfs}. */
  boolean has(String scheme);

  /**
   * Lists a file, or all files below a directory.
   *
   * @throws NoSuchFileException if there is no such file or directory
   */
  Listing list(String url) throws IOException;

  /** The files below a directory; none if it does not exist. */
  default List<Entry> files(String url) throws IOException {
    try {
      return list(url).files();
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }

  /**
   * Opens a listed file.
   *
   * @param size as listed
   * @param modified as listed
   * @throws IOException if the file has changed since, or cannot be read
   */
  FileBytes open(String url, long size, Instant modified) throws IOException;

  /**
   * Opens the current version of a file.
   *
   * @throws NoSuchFileException if it does not exist
   */
  FileBytes open(String url) throws IOException;

  /** The content of a small file; null if it does not exist. */
  default byte @Nullable [] read(String url) throws IOException {
    try (FileBytes bytes = open(url)) {
      ByteBuffer content = ByteBuffer.allocate(Math.toIntExact(bytes.size()));
      while (content.hasRemaining() && bytes.read(content, content.position()) >= 0) {
        // The next bytes.
      }
      return content.array();
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  /** Writes a file, or replaces one, so that no reader sees a part of it. */
  void write(String url, byte[] content) throws IOException;

  /** Bytes that a read should have, to be worth the requests that it takes to open files. */
  default long leastReadBytes() {
    return 8 << 20;
  }

  /** Copies a file from the local disk, with the directories above it; it must be new. */
  void upload(Path file, String url) throws IOException;

  /**
   * Gives a directory another name, which must be free. In file systems this is one step; object
   * stores copy the files one after the other.
   */
  void move(String from, String to) throws IOException;

  /** Deletes a file or a directory with everything in it, if it exists. */
  void delete(String url) throws IOException;

  /** The store of a URL's scheme; null without one. */
  static @Nullable FileStore of(String url) {
    String scheme = url.substring(0, url.indexOf("://"));
    for (FileStore store : Provided.STORES) {
      if (store.has(scheme)) {
        return store;
      }
    }
    return null;
  }

  /** The stores of the class path. */
  final class Provided {
    private static final List<FileStore> STORES =
        List.copyOf(
            Lists.newArrayList(
                ServiceLoader.load(FileStore.class, FileStore.class.getClassLoader())));

    private Provided() {}
  }
}
