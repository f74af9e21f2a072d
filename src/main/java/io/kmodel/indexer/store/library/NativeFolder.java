package io.kmodel.indexer.store.library;

import io.kmodel.indexer.store.disk.Directories;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A private directory into which a native library is unpacked, and which is deleted once the
 * library is loaded. Libraries would unpack themselves into the shared temporary directory,
 * readable by everyone, and leave files there if the process is killed. If the temporary directory
 * is full, read-only or mounted noexec, another place holds the private directory.
 */
public final class NativeFolder implements AutoCloseable {
  private static final String TEMPORARY = "java.io.tmpdir";

  /** More than any of the libraries takes. */
  private static final int LIBRARY_BYTES = 4 << 20;

  private final Path path;

  private NativeFolder(Path path) {
    this.path = path;
  }

  /**
   * Creates a directory that has room for a library and allows execution: in java.io.tmpdir, else
   * in TMPDIR (which Java ignores), else in the user's cache, else in /var/tmp.
   *
   * @throws IOException if there is no such place; its message names the places and the remedy
   */
  public static NativeFolder create() throws IOException {
    return create(places(System.getProperty(TEMPORARY), System.getenv()));
  }

  static Set<Path> places(String temporary, Map<String, String> environment) {
    Set<Path> places = new LinkedHashSet<>();
    add(places, temporary, "");
    add(places, environment.get("TMPDIR"), "");
    add(places, environment.get("XDG_CACHE_HOME"), "");
    add(places, environment.get("HOME"), ".cache");
    add(places, "/var/tmp", "");
    return places;
  }

  private static void add(Set<Path> places, @Nullable String directory, String child) {
    if (directory != null && !directory.isEmpty()) {
      places.add(Path.of(directory).resolve(child).toAbsolutePath().normalize());
    }
  }

  static NativeFolder create(Set<Path> places) throws IOException {
    Map<Path, String> faults = new LinkedHashMap<>();
    for (Path place : places) {
      try {
        return createIn(place);
      } catch (IOException e) {
        faults.put(place, reason(e));
      }
    }
    throw new IOException(
        faults.entrySet().stream()
                .map(fault -> fault.getKey() + ": " + fault.getValue())
                .collect(Collectors.joining(", ", "no directory to unpack it to (", ")"))
            + "; set INDEXER_JAVA_OPTIONS=-Djava.io.tmpdir=DIR");
  }

  private static NativeFolder createIn(Path place) throws IOException {
    NativeFolder folder = new NativeFolder(Files.createTempDirectory(place, "indexer-native"));
    try {
      folder.requireUsable();
      return folder;
    } catch (IOException e) {
      folder.close();
      throw e;
    }
  }

  /** Writes a trial file, because each library words its failures differently. */
  private void requireUsable() throws IOException {
    Path trial = path.resolve("trial");
    try (OutputStream out = uninterruptible(trial)) {
      out.write(new byte[LIBRARY_BYTES]);
    }
    if (!trial.toFile().setExecutable(true) || !Files.isExecutable(trial)) {
      throw new IOException("does not allow execution (noexec)");
    }
    Files.delete(trial);
  }

  /** Creates a file. Ctrl-C during a write must not look like a directory that cannot be used. */
  public static OutputStream uninterruptible(Path file) throws IOException {
    return new FileOutputStream(file.toFile());
  }

  private static String reason(IOException e) {
    return switch (e) {
      case NoSuchFileException missing -> "no such directory";
      case AccessDeniedException denied -> "permission denied";
      case FileSystemException other -> Objects.requireNonNullElse(other.getReason(), "unusable");
      default -> String.valueOf(e.getMessage());
    };
  }

  /** Where to unpack the library. */
  public Path path() {
    return path;
  }

  /** Deletes the directory. NFS keeps loaded files until the process ends, which does no harm. */
  @Override
  public void close() {
    try {
      Directories.deleteTree(path);
    } catch (IOException e) {
      path.toFile().deleteOnExit();
    }
  }
}
