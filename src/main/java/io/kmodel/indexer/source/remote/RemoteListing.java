package io.kmodel.indexer.source.remote;

import com.google.common.base.Throwables;
import io.kmodel.indexer.source.FileStore;
import io.kmodel.indexer.source.RemotePath;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Lists the URLs among the roots of a crawl: asks servers for sizes, times and ETags, and S3 for
 * the keys with a prefix. Several requests are under way ahead of the one that is wanted. Memory:
 * some 400 bytes per file. For one thread; closing it ends the requests.
 */
public final class RemoteListing implements AutoCloseable {
  private static final int THREADS = 16;

  private final Web web;
  private final ExecutorService threads =
      Executors.newFixedThreadPool(THREADS, Thread.ofVirtual().name("listing-", 1).factory());

  /** The listings of the URLs that were not taken yet, in order. */
  private final Queue<Future<Listed>> coming = new ArrayDeque<>();

  private @Nullable S3 s3;

  /** Finds the settings of S3, if there is a URL of it. */
  @FunctionalInterface
  interface Settings {
    S3 find() throws IOException;
  }

  /** A file of a server. */
  public static final class RemoteFile {
    private final byte[] name;
    private final RemotePath path;
    private final long size;
    private final Instant modified;
    private final String tag;

    RemoteFile(byte[] name, RemotePath path, long size, Instant modified, String tag) {
      this.name = name;
      this.path = path;
      this.size = size;
      this.modified = modified;
      this.tag = tag;
    }

    /** The name below the root, in UTF-8; not a copy. */
    public byte[] name() {
      return name;
    }

    /** Opens the file. */
    public RemotePath path() {
      return path;
    }

    public long size() {
      return size;
    }

    public FileTime modified() {
      return FileTime.from(modified);
    }

    /** The ETag; may be empty. */
    public String tag() {
      return tag;
    }
  }

  /**
   * The files of a URL.
   *
   * @param root that their names are relative to
   * @param files in byte order of their names
   * @param leftOut objects of S3 whose names end as those of directories, although they have bytes
   */
  public record Listed(Path root, List<RemoteFile> files, List<String> leftOut) {}

  /**
   * Starts to list the URLs among these roots.
   *
   * @throws IllegalArgumentException if one of them cannot be an input
   * @throws IOException if settings of S3 are wrong
   */
  public RemoteListing(List<Path> roots) throws IOException {
    this(roots, Patience.USUAL, S3::ofProcess);
  }

  /** Starts to list them with this patience and the settings that are found. */
  RemoteListing(List<Path> roots, Patience patience, Settings settings) throws IOException {
    this.web = new Web(patience);
    List<Callable<Listed>> listings = new ArrayList<>();
    for (Path root : roots) {
      if (root instanceof RemotePath url) {
        listings.add(listing(url, settings));
      }
    }
    // All are right: from here on, closing this ends the threads.
    for (Callable<Listed> listing : listings) {
      coming.add(threads.submit(listing));
    }
  }

  /** Counts the requests of the listing, and of the files when they are read. */
  public RemoteCounts counts() {
    return web.counts();
  }

  /**
   * The files of the next URL.
   *
   * @throws IOException if it cannot be listed
   */
  public Listed next() throws IOException {
    try {
      return coming.remove().get();
    } catch (InterruptedException e) {
      throw Patience.interrupted();
    } catch (ExecutionException e) {
      Throwable cause = Objects.requireNonNull(e.getCause());
      if (cause instanceof UnavailableException unavailable) {
        throw new IOException(unavailable.getMessage(), unavailable);
      }
      if (cause instanceof IOException failure) {
        throw failure;
      }
      Throwables.throwIfUnchecked(cause);
      throw new IllegalStateException(cause);
    }
  }

  private Callable<Listed> listing(RemotePath url, Settings settings) throws IOException {
    String problem = url.problem();
    if (problem != null) {
      throw new IllegalArgumentException(url + " cannot be read: " + problem);
    }
    if (url.isOfWeb()) {
      return () -> web(url);
    }
    if (!url.isS3()) {
      FileStore store = Objects.requireNonNull(FileStore.of(url.url()));
      return () -> stored(store, url);
    }
    S3 server = s3 == null ? settings.find() : s3;
    s3 = server;
    return url.isPrefix() ? () -> prefix(server, url) : () -> object(server, url);
  }

  private Listed web(RemotePath url) throws IOException {
    URI uri = URI.create(url.url());
    RemotePath root = RemotePath.of(uri.getScheme() + "://" + uri.getRawAuthority());
    RemoteObject object = RemoteObject.of(WebAddress.of(url), web);
    return new Listed(
        root, List.of(file(unescape(uri.getRawPath().substring(1)), url, object)), List.of());
  }

  private static Listed stored(FileStore store, RemotePath url) throws IOException {
    FileStore.Listing listing = store.list(url.url());
    List<RemoteFile> files = new ArrayList<>();
    for (FileStore.Entry entry : listing.files()) {
      RemotePath path =
          RemotePath.of(entry.url())
              .opening(() -> store.open(entry.url(), entry.size(), entry.modified()));
      files.add(new RemoteFile(entry.name(), path, entry.size(), entry.modified(), ""));
    }
    return new Listed(RemotePath.of(listing.root()), files, List.of());
  }

  private Listed object(S3 server, RemotePath url) throws IOException {
    RemoteObject object = RemoteObject.of(server.object(url.bucket(), url.key()), web);
    return new Listed(
        RemotePath.of("s3://" + url.bucket()),
        List.of(file(url.key().getBytes(StandardCharsets.UTF_8), url, object)),
        List.of());
  }

  private Listed prefix(S3 server, RemotePath url) throws IOException {
    List<RemoteFile> files = new ArrayList<>();
    List<String> leftOut = new ArrayList<>();
    for (S3Listing.Entry entry : new S3Listing(web, server, url.bucket(), url.key()).all()) {
      RemotePath path = RemotePath.of("s3://" + url.bucket() + "/" + entry.key());
      String name = entry.key().substring(url.key().length());
      if (!name.isEmpty() && !name.endsWith("/")) {
        files.add(file(name.getBytes(StandardCharsets.UTF_8), path, entry.object()));
      } else if (entry.object().size() > 0) {
        // Empty ones stand for directories.
        leftOut.add(path.toString());
      }
    }
    files.sort(Comparator.comparing(RemoteFile::name, Arrays::compareUnsigned));
    return new Listed(url, files, leftOut);
  }

  private RemoteFile file(byte[] name, RemotePath url, RemoteObject object) {
    return new RemoteFile(
        name,
        url.opening(() -> new RemoteBytes(object, web)),
        object.size(),
        object.modified(),
        object.tag());
  }

  /** The bytes of a path whose escapes were checked. */
  private static byte[] unescape(String path) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(path.length());
    for (int i = 0; i < path.length(); i++) {
      char c = path.charAt(i);
      if (c == '%') {
        bytes.write(Integer.parseInt(path, i + 1, i + 3, 16));
        i += 2;
      } else {
        bytes.writeBytes(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
      }
    }
    return bytes.toByteArray();
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
