package io.kmodel.indexer.faults;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What this process has open, where the system lists it; a test is skipped where not. */
public final class OpenDescriptors {
  /** Linux has a link there for each. */
  private static final Path LINKS = Path.of("/proc/self/fd");

  private OpenDescriptors() {}

  /** Skips a test where nothing can be said. */
  public static void assumeListed() {
    assumeTrue(Files.isDirectory(LINKS), "the system does not list what is open");
  }

  /** All of them: the names of descriptors, with what they lead to. */
  public static Map<Path, Path> all() throws IOException {
    assumeListed();
    Map<Path, Path> open = new TreeMap<>();
    try (DirectoryStream<Path> links = Files.newDirectoryStream(LINKS)) {
      for (Path link : links) {
        try {
          open.put(link, Files.readSymbolicLink(link));
        } catch (NoSuchFileException e) {
          // Closed since: by another thread, or the one that lists them.
        }
      }
    }
    return open;
  }

  /** Files and directories below a directory, and itself, once for each descriptor. */
  public static List<Path> below(Path directory) throws IOException {
    Path real = directory.toRealPath();
    return all().values().stream().filter(path -> path.startsWith(real)).toList();
  }

  /** The name of a descriptor of a file. */
  public static Path of(Path file) throws IOException {
    return first(file.toRealPath().toString());
  }

  /** The name of a descriptor of any pipe. */
  public static Path ofPipe() throws IOException {
    return first("pipe:");
  }

  private static Path first(String start) throws IOException {
    return all().entrySet().stream()
        .filter(open -> open.getValue().toString().startsWith(start))
        .findFirst()
        .orElseThrow()
        .getKey();
  }
}
