package io.kmodel.indexer.build;

import io.kmodel.indexer.build.Recovery.Start;
import io.kmodel.indexer.index.InvertedIndexWriter;
import io.kmodel.indexer.store.Directories;
import io.kmodel.indexer.store.DirectoryLock;
import io.kmodel.indexer.store.ForeignDirectoryException;
import io.kmodel.indexer.store.LockedException;
import io.kmodel.indexer.store.OutputFile;
import io.kmodel.indexer.store.Places;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The directory beside the output in which a build works: {@code OUTPUT.building}, with the runs
 * and the growing index. It is locked while the build lives; the index moves to its place in one
 * rename; the directory is deleted when the build ends, well or badly, unless {@link #keep} was
 * called. Where the process is killed, the next build into the same output puts back an index that
 * was on the way out, and cleans up or goes on, as it is told. Where there is something else under
 * the name, a build is refused, and nothing touched.
 *
 * <pre>
 * lock       who is at work (see {@link DirectoryLock})
 * journal    what is finished (see {@link JournalEntry})
 * input      the files of the crawl (see {@link InputList})
 * runs/      what came of the splits
 * index/     the index in the making
 * replaced/  the index that was in its place, for a moment
 * </pre>
 */
final class WorkDirectory implements AutoCloseable {
  private static final String JOURNAL = "journal";
  private static final String INPUT = "input";
  private static final String RUNS = "runs";
  private static final String INDEX = "index";
  private static final String REPLACED = "replaced";

  /** All that a build may leave. */
  private static final Set<String> ENTRIES =
      Set.of(
          JOURNAL, INPUT, OutputFile.temporary(Path.of(INPUT)).toString(), RUNS, INDEX, REPLACED);

  private final OutputPlace place;
  private final Path output;
  private final Path root;
  private final OutputPlace.@Nullable Replaceable replaceable;
  private final Soundness soundness;
  private final DirectoryLock lock;
  private SealedWork sealed = SealedWork.none();
  private boolean published;
  private boolean kept;

  private WorkDirectory(
      OutputPlace place,
      OutputPlace.@Nullable Replaceable replaceable,
      Soundness soundness,
      DirectoryLock lock) {
    this.place = place;
    this.output = place.output();
    this.root = place.work();
    this.replaceable = replaceable;
    this.soundness = soundness;
    this.lock = lock;
  }

  /** Prepares the directory for a build that cannot go on where another has stopped. */
  static WorkDirectory create(Path output, OutputPlace.@Nullable Replaceable replaceable)
      throws IOException {
    return create(output, replaceable, Start.ANEW, index -> true);
  }

  /**
   * Prepares the directory.
   *
   * @param replaceable what may be there and be replaced; null for nothing
   * @param soundness what is asked of an index that was complete, before it is taken for that
   * @throws BuildException if the output is there and may not be replaced or moved, if another
   *     build is at work on it, or if finished work would be lost
   */
  static WorkDirectory create(
      Path output, OutputPlace.@Nullable Replaceable replaceable, Start start, Soundness soundness)
      throws IOException {
    OutputPlace place = OutputPlace.of(output);
    Places.requireMakable(place.output());
    DirectoryLock lock = lock(place.work(), output);
    WorkDirectory directory = new WorkDirectory(place, replaceable, soundness, lock);
    try {
      directory.prepare(start);
    } catch (IOException | RuntimeException e) {
      directory.kept =
          directory.kept || directory.mayHaveWork() || Files.exists(directory.replaced());
      directory.close();
      throw e;
    }
    return directory;
  }

  /**
   * Looks that a build does not read what it deletes at its end.
   *
   * @throws BuildException if it would
   */
  static void requireApart(List<Path> input, Path output) throws IOException {
    Path root = OutputPlace.of(output).work();
    if (!Files.exists(root)) {
      return;
    }
    Path deleted = root.toRealPath();
    for (Path path : input) {
      if (Files.exists(path) && Places.target(path).startsWith(deleted)) {
        throw new BuildException(
            "%s cannot be input of a build of %s, which works in %s and deletes it; choose another output"
                .formatted(path, output, root));
      }
    }
  }

  /**
   * Looks, without writing, whether {@link #create} would refuse.
   *
   * @return what would be gone on with
   */
  static SealedWork look(Path output, OutputPlace.@Nullable Replaceable replaceable, Start start)
      throws IOException {
    OutputPlace place = OutputPlace.of(output);
    Path root = place.work();
    Places.requireMakable(place.output());
    requireOurs(root);
    SealedWork sealed =
        start == Start.RESTART ? SealedWork.none() : SealedWork.read(root.resolve(JOURNAL));
    boolean published = isPublished(sealed, place.output(), root.resolve(INDEX));
    if (published && start == Start.RESUME) {
      return sealed;
    }
    requireRestorable(root.resolve(INDEX), place.output(), root.resolve(REPLACED));
    // What was on the way out would be put back.
    place.requireFree(
        Directories.isOccupied(place.output()) ? place.output() : root.resolve(REPLACED),
        replaceable);
    place.requireUnmounted();
    if (published) {
      return SealedWork.none();
    }
    requireWanted(sealed, start, root);
    return sealed;
  }

  /** What a crawl that holds an output does not consist of, whether it is there or not. */
  static List<Path> all(Path output) throws IOException {
    OutputPlace place = OutputPlace.of(output);
    return List.of(place.output(), place.work());
  }

  private static DirectoryLock lock(Path root, Path output) throws IOException {
    try {
      return DirectoryLock.take(root, ENTRIES);
    } catch (LockedException e) {
      throw new BuildException(
          "another build is at work on %s: %s (%s)".formatted(output, e.owner(), root));
    } catch (ForeignDirectoryException e) {
      throw new BuildException(String.valueOf(e.getMessage()));
    }
  }

  private static void requireOurs(Path root) throws IOException {
    try {
      DirectoryLock.requireOurs(root, ENTRIES);
    } catch (ForeignDirectoryException e) {
      throw new BuildException(String.valueOf(e.getMessage()));
    }
  }

  /** What cannot be read may be another version's. */
  private boolean mayHaveWork() {
    try {
      return SealedWork.read(journal()).isWorthKeeping();
    } catch (IOException | BuildException e) {
      return true;
    }
  }

  private void prepare(Start start) throws IOException {
    if (start != Start.RESTART) {
      sealed = SealedWork.read(journal());
    }
    if (isPublished(sealed, output, index())) {
      if (start != Start.RESUME) {
        sealed = SealedWork.none();
        Files.deleteIfExists(journal());
      } else if (isSound(output)) {
        published = true;
        // For what is looked at once more.
        Files.createDirectories(runs());
        return;
      } else if (Files.exists(replaced())) {
        throw new BuildException(
            "%s was damaged after it had replaced what is in %s; move one of them away"
                .formatted(output, replaced()));
      }
    }
    requireRestorable(index(), output, replaced());
    Directories.restore(index(), output, replaced());
    place.requireFree(output, replaceable);
    requireMovable();
    requireWanted(sealed, start, root);
    if (!sealed.isWorthKeeping()) {
      sealed = SealedWork.none();
      Files.deleteIfExists(journal());
      Directories.deleteTree(runs());
    }
    JournalEntry.Finished finished = sealed.finished();
    if (finished == null || !isFinished(finished.form())) {
      deleteUnlessMerged();
    }
    Files.createDirectories(runs());
  }

  private void deleteUnlessMerged() throws IOException {
    if (sealed.mergedRanges() != null) {
      return;
    }
    JournalEntry.Finished finished = sealed.finished();
    if (finished != null) {
      // First, so that what is left of it is not taken for a complete index.
      Files.deleteIfExists(finished.metadata().in(index()));
    }
    Directories.deleteTree(index());
  }

  /** One that is not need not be kept: what it was made of may be. */
  private boolean isSound(Path index) throws IOException {
    // Until it is known, or where that cannot be said.
    kept = true;
    if (soundness.test(index)) {
      return true;
    }
    sealed.forgetMergedRanges();
    return false;
  }

  /** Whether all that was left to do when the process was killed was to delete this directory. */
  boolean isPublished() {
    return published;
  }

  /**
   * An index of the same documents may have been in its place before: so it is this one only if
   * this one is nowhere else.
   */
  private static boolean isPublished(SealedWork sealed, Path output, Path made) throws IOException {
    JournalEntry.Finished finished = sealed.finished();
    return finished != null
        && !Files.exists(made)
        && Files.isDirectory(output)
        && finished.metadata().isIn(output);
  }

  /**
   * Whether the index is complete, and was not damaged since.
   *
   * @param form what it depends on beside the runs
   * @throws IOException if that cannot be said; all stays as it is then
   */
  boolean isComplete(Map<String, String> form) throws IOException {
    return published || (isFinished(form) && isSound(index()));
  }

  /**
   * Whether all that was left to do was to move the index to its place.
   *
   * @param form what it depends on beside the runs
   */
  boolean isFinished(Map<String, String> form) throws IOException {
    JournalEntry.Finished finished = sealed.finished();
    return finished != null
        && finished.form().equals(form)
        && Files.exists(index().resolve(BuildReport.FILE_NAME))
        && finished.metadata().isIn(index());
  }

  /** Looks whether finished work would be lost that nobody said anything about. */
  private static void requireWanted(SealedWork sealed, Start start, Path root) {
    if (sealed.isWorthKeeping() && start == Start.ANEW) {
      throw new BuildException(
          "%s has %s of a build that was interrupted; go on with build --resume, drop %s with build --restart, or name another output"
              .formatted(
                  root,
                  sealed.splits() == 0
                      ? "the index"
                      : "%,d finished splits".formatted(sealed.splits()),
                  sealed.splits() == 0 ? "it" : "them"));
    }
  }

  private static void requireRestorable(Path index, Path output, Path replaced) throws IOException {
    try {
      Directories.requireRestorable(index, output, replaced);
    } catch (FileSystemException e) {
      throw new BuildException(String.valueOf(e.getMessage()));
    }
  }

  /** Whether what is in the index's place, empty or not, can make way for it. */
  private void requireMovable() throws IOException {
    if (Files.isDirectory(output) && !Directories.isMovable(output, replaced())) {
      throw place.immovable();
    }
  }

  /** The same at the end, when what was built is not to be lost. */
  private void requireStillFree() throws IOException {
    if (Directories.isOccupied(output) && (replaceable == null || !replaceable.test(output))) {
      kept = true;
      throw new FileAlreadyExistsException(
          output.toString(),
          null,
          "came to be there while the index was built; move it away (the index is %s)"
              .formatted(index()));
    }
  }

  /** What can be gone on with. */
  SealedWork sealed() {
    return sealed;
  }

  /** Looks whether that is whole (see {@link SealedWork#verify}); what is not is deleted. */
  List<String> verify(int threads) throws IOException, InterruptedException {
    List<String> damaged = sealed.verify(runs(), threads);
    deleteUnlessMerged();
    return damaged;
  }

  private Path replaced() {
    return root.resolve(REPLACED);
  }

  /** What a crawl that holds the output does not consist of. */
  List<Path> all() {
    return List.of(output, root);
  }

  Path root() {
    return root;
  }

  Path output() {
    return output;
  }

  Path journal() {
    return root.resolve(JOURNAL);
  }

  Path input() {
    return root.resolve(INPUT);
  }

  Path runs() {
    return root.resolve(RUNS);
  }

  Path index() {
    return root.resolve(INDEX);
  }

  /**
   * Moves the finished index to its place, and what was there out of the way.
   *
   * @throws FileAlreadyExistsException if there is something else by now; the index stays where it
   *     is then
   */
  void publish() throws IOException {
    requireStillFree();
    InvertedIndexWriter.forgetCheckpoints(index());
    Directories.force(index().resolve("any"));
    try {
      Directories.replace(index(), output, replaced(), Step.MOVED_OUT::reached);
    } catch (IOException e) {
      // Neither could take the place, and there is no other copy of either.
      kept |= Files.exists(replaced()) && Files.exists(index());
      throw e;
    }
    Step.PUBLISHED.reached();
    kept = false;
  }

  /** Says whether closing leaves everything where it is, for a build that goes on. */
  void keep(boolean whether) {
    kept = whether;
  }

  @Override
  public void close() throws IOException {
    try (lock) {
      if (!kept) {
        // First, so that nobody takes the rest for something to go on with.
        Files.deleteIfExists(journal());
        Step.FORGOTTEN.reached();
        lock.deleteAtClose();
      }
    }
  }
}
