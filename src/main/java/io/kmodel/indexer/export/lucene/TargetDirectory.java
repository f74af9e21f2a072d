package io.kmodel.indexer.export.lucene;

import io.kmodel.indexer.store.Directories;
import io.kmodel.indexer.store.DirectoryLock;
import io.kmodel.indexer.store.Places;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The directory that an exported index will be: absent, empty, or one that may be replaced. The
 * index is made in {@code DIRECTORY.exporting} beside it, and what it replaces goes there for a
 * moment; where a process was killed in that moment, the next export puts it back, or is refused
 * where something else has come in its place.
 */
public final class TargetDirectory {
  private static final String WORK_SUFFIX = ".exporting";

  /** The index's name until it is moved, as in exports to CIFF. */
  private static final String MADE = "made";

  private static final String REPLACED = "replaced";

  /** What there may be in the work directory. */
  static final Set<String> ENTRIES = Set.of(MADE, REPLACED);

  /** As it was named. */
  private final Path path;

  /** The same, all above it without links and dots. */
  private final Path place;

  private final Replaceable replaceable;

  /** Tells whether a directory with something in it may be replaced. */
  @FunctionalInterface
  public interface Replaceable {
    boolean test(Path directory) throws IOException;
  }

  private TargetDirectory(Path path, Replaceable replaceable) throws IOException {
    this.path = path;
    this.place = Places.realAbove(path);
    this.replaceable = replaceable;
  }

  /** One that is absent or empty. */
  public static TargetDirectory absentOrEmpty(Path path) throws IOException {
    return new TargetDirectory(path, directory -> false);
  }

  /** One that is absent or empty, or that holds what may be replaced. */
  public static TargetDirectory replacing(Path path, Replaceable replaceable) throws IOException {
    return new TargetDirectory(path, replaceable);
  }

  Path path() {
    return path;
  }

  /** The directories in which an export makes something. */
  public List<Path> places() {
    return List.of(place, work());
  }

  /**
   * Looks, without writing, whether an export may go there.
   *
   * @throws FileAlreadyExistsException where something is there that is not to be lost
   * @throws FileSystemException where nothing can be written beside it, what is there is somebody
   *     else's, or it is a mount point
   */
  public void requireFree() throws IOException {
    Directories.requireRestorable(made(), place, replaced());
    requireUnoccupied(place);
    if (!Directories.isOccupied(place)) {
      // What would be put back.
      requireUnoccupied(replaced());
    }
    if (Files.isDirectory(place) && Directories.isMountPoint(place)) {
      throw immovable();
    }
    Places.requireMakable(place);
    DirectoryLock.requireOurs(work(), ENTRIES);
  }

  /**
   * Looks whether what is there can make way for an index; by the owner of the lock.
   *
   * @throws FileSystemException if not
   */
  void requireMovable() throws IOException {
    if (Files.isDirectory(place) && !Directories.isMovable(place, replaced())) {
      throw immovable();
    }
  }

  private FileSystemException immovable() {
    return new FileSystemException(
        path.toString(), null, "is a mount point, or cannot be moved; name a directory inside it");
  }

  private void requireUnoccupied(Path there) throws IOException {
    if (!Files.exists(there, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    if (!Files.isDirectory(there, LinkOption.NOFOLLOW_LINKS)) {
      throw occupied("the target of an export must be absent or an empty directory");
    }
    Path entry;
    try (Stream<Path> entries = Files.list(there)) {
      entry = entries.findFirst().orElse(null);
    }
    if (entry != null && !replaceable.test(there)) {
      throw occupied(
          "the target of an export must be absent or empty; it holds " + entry.getFileName());
    }
  }

  private FileAlreadyExistsException occupied(String reason) {
    return new FileAlreadyExistsException(path.toString(), null, reason);
  }

  /** Where the index is made, beside the target: one export into it at a time. */
  Path work() {
    Path name = place.getFileName();
    if (name == null) {
      throw new IllegalArgumentException("an index cannot be exported to " + path);
    }
    return place.resolveSibling(name + WORK_SUFFIX);
  }

  /** The index until it is moved. */
  Path made() {
    return work().resolve(MADE);
  }

  private Path replaced() {
    return work().resolve(REPLACED);
  }

  /** Whether what was there is in the work directory and nowhere else, and nothing replaces it. */
  boolean isSetAside() {
    return Files.exists(replaced()) && (Files.exists(made()) || !Files.exists(place));
  }

  /**
   * Puts back what was on its way out when a process was killed; by the owner of the lock.
   *
   * @throws FileSystemException if something else has come in its place; nothing is touched
   */
  void restore() throws IOException {
    Directories.restore(made(), place, replaced());
  }

  /** Moves an index in place, and what is there out of the way; by the owner of the lock. */
  void moveIn(Path made) throws IOException {
    requireUnoccupied(place);
    Directories.replace(made, place, replaced(), () -> {});
  }
}
