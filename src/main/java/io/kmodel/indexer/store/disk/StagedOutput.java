package io.kmodel.indexer.store.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A file or directory that appears under its name only when it is complete. It is made in a work
 * directory beside that name, which one process at a time may lock. It replaces a directory by an
 * exchange of names or, where the system has none, by two renames; if the process dies between
 * these, the next owner of the lock puts the replaced directory back.
 *
 * <pre>
 * index               the output, or what it will replace
 * index.building/     the work directory; the suffix is the owner's choice
 *   lock              names the process at work, see {@link DirectoryLock}
 *   index             the output while it is made; this name, too, is the owner's choice
 *   replaced          the replaced directory, for a moment; just before the exchange, the output
 * </pre>
 *
 * The owner may have further entries. A work directory with any other entry belongs to somebody
 * else: it is refused, and nothing in it is touched. Closing releases the lock and deletes the work
 * directory, unless {@link #keep} was called or the only copy of a replaced directory is there.
 * Nothing is written before {@link #lock}. Not thread-safe.
 */
public final class StagedOutput implements AutoCloseable {
  private static final String REPLACED = "replaced";

  /**
   * Names in a work directory.
   *
   * @param suffix appended to the output's name for that of the work directory
   * @param made name of the output while it is made
   * @param others all other names that the owner uses
   */
  public record Names(String suffix, String made, Set<String> others) {
    /** For exports of any format, so that two exports to the same target exclude each other. */
    public static final Names EXPORT = new Names(".exporting", "made", Set.of());

    private Set<String> entries() {
      Set<String> entries = new HashSet<>(others);
      entries.add(made);
      entries.add(REPLACED);
      return entries;
    }
  }

  /** Refuses an output whose name is taken. */
  @FunctionalInterface
  public interface Guard {
    /**
     * Checks that a path is absent, or may be replaced.
     *
     * @param there the output, or the directory that would be put back there
     * @throws IOException if it must stay; guards may throw unchecked exceptions of their own
     */
    void requireReplaceable(Path there) throws IOException;
  }

  /** Whether an owner may replace a directory that is not empty. */
  @FunctionalInterface
  public interface Replaceable {
    boolean test(Path directory) throws IOException;
  }

  private final Path named;
  private final Path output;
  private final Path work;
  private final Names names;
  private final Guard guard;
  private @Nullable DirectoryLock lock;
  private boolean kept;

  /**
   * Describes an output.
   *
   * @param named as the user named it, for messages
   * @param output the same path, with links resolved as far as they are to be followed
   * @throws IllegalArgumentException if the path has no last name
   */
  public StagedOutput(Path named, Path output, Names names, Guard guard) {
    Path name = output.getFileName();
    if (name == null) {
      throw new IllegalArgumentException("nothing can be made in the place of " + named);
    }
    this.named = named;
    this.output = output;
    this.work = output.resolveSibling(name + names.suffix());
    this.names = names;
    this.guard = guard;
  }

  public Path output() {
    return output;
  }

  /** The work directory. */
  public Path work() {
    return work;
  }

  /** The output while it is made. */
  public Path made() {
    return work.resolve(names.made());
  }

  /**
   * The directory that was replaced, until the work directory is deleted. After a crash it may be
   * the output, which was about to exchange its name with the directory that it replaces.
   */
  public Path replaced() {
    return work.resolve(REPLACED);
  }

  /** Both paths that the output and its making take. */
  public List<Path> places() {
    return List.of(output, work);
  }

  /**
   * Checks, without writing, whether the output can be made and replace what is there.
   *
   * @throws RefusedOutputException if the work directory is somebody else's, or the output a mount
   *     point
   * @throws IOException if nothing can be written there, or the guard refuses
   */
  public void requireFree() throws IOException {
    Directories.requireRestorable(made(), output, replaced());
    guard.requireReplaceable(output);
    if (!Directories.isOccupied(output)) {
      // restore() would put it back.
      guard.requireReplaceable(replaced());
    }
    if (Files.isDirectory(output) && Directories.isMountPoint(output)) {
      throw immovable();
    }
    requireMakable();
  }

  /**
   * Checks, without writing, whether the output can be made, whatever has its name.
   *
   * @throws RefusedOutputException if the work directory is somebody else's
   * @throws IOException if nothing can be written there
   */
  public void requireMakable() throws IOException {
    Places.requireMakable(output);
    DirectoryLock.requireOurs(work, names.entries());
  }

  /**
   * Locks the work directory, and creates it if it is missing.
   *
   * @throws LockedException if another process, or another thread of this one, has locked it
   * @throws RefusedOutputException if it is somebody else's
   */
  public void lock() throws IOException {
    Places.requireMakable(output);
    lock = DirectoryLock.take(work, names.entries());
  }

  /**
   * Puts back a directory that a killed process was about to replace, or deletes it if the output's
   * name is taken. Then checks that the output may replace what has its name. Only the process that
   * holds the lock may call this.
   *
   * @throws RefusedOutputException if both the output's name and the replaced directory exist
   */
  public void restore() throws IOException {
    Directories.restore(made(), output, replaced());
    guard.requireReplaceable(output);
    if (Files.isDirectory(output) && !Directories.isMovable(output, replaced())) {
      throw immovable();
    }
  }

  /** {@link #lock} and {@link #restore}, then deletes what a killed process had half made. */
  public void open() throws IOException {
    lock();
    restore();
    Directories.deleteTree(made());
  }

  private RefusedOutputException immovable() {
    return new RefusedOutputException(
        named, "is a mount point, or cannot be moved; name a directory inside it");
  }

  /** Checks what has the output's name now, as {@link #publish} will. */
  public void requireReplaceable() throws IOException {
    guard.requireReplaceable(output);
  }

  /** Moves the output to its name, forced to the disk. */
  public void publish() throws IOException {
    publish(() -> {});
  }

  /**
   * The same.
   *
   * @param between runs between the two steps of a replacement, see {@link Directories#replace}
   * @throws IOException if the guard refuses what has come there meanwhile, or a rename fails
   */
  public void publish(Runnable between) throws IOException {
    requireReplaceable();
    if (Files.isDirectory(made(), LinkOption.NOFOLLOW_LINKS)) {
      Directories.force(made().resolve("any"));
      Directories.replace(made(), output, replaced(), between);
    } else {
      Directories.moveFile(made(), output);
    }
  }

  /** Sets whether closing leaves the work directory as it is. */
  public void keep(boolean whether) {
    kept = whether;
  }

  /** Whether closing would leave the work directory as it is. */
  public boolean isKept() throws IOException {
    return kept || isOnlyCopySetAside();
  }

  /** Whether the replaced directory is needed: nothing has its name, or it is unclear what does. */
  private boolean isOnlyCopySetAside() throws IOException {
    return Files.exists(replaced()) && (Files.exists(made()) || !Directories.isOccupied(output));
  }

  @Override
  public void close() throws IOException {
    DirectoryLock held = lock;
    if (held == null) {
      return;
    }
    try (held) {
      if (!isKept()) {
        held.deleteAtClose();
      }
    }
    lock = null;
  }
}
