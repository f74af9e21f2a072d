package io.kmodel.indexer.build;

import io.kmodel.indexer.build.Recovery.Start;
import io.kmodel.indexer.index.InvertedIndexWriter;
import io.kmodel.indexer.store.Directories;
import io.kmodel.indexer.store.DirectoryLock;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The directory beside the output in which a build works: {@code OUTPUT.building}, with the runs
 * and the growing index. It is locked while the build lives; the index moves to its place in one
 * rename; the directory is deleted when the build ends, well or badly, unless {@link #keep} was
 * called. Where the process is killed, the next build into the same output puts back an index that
 * was on the way out, and cleans up or goes on, as it is told. Where there is something else under
 * the name, a build is refused, and nothing touched. {@link WorkFiles} says what lies in it.
 */
final class WorkDirectory implements AutoCloseable {
  private final WorkFiles files;
  private final OutputPlace.@Nullable Replaceable replaceable;
  private final Soundness soundness;
  private final DirectoryLock lock;
  private SealedWork sealed = SealedWork.none();
  private List<Path> passedOver = List.of();
  private boolean published;
  private boolean kept;

  private WorkDirectory(
      WorkFiles files,
      OutputPlace.@Nullable Replaceable replaceable,
      Soundness soundness,
      DirectoryLock lock) {
    this.files = files;
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
    WorkFiles files = WorkFiles.of(output);
    WorkDirectory directory = new WorkDirectory(files, replaceable, soundness, files.lock());
    try {
      directory.prepare(start);
    } catch (IOException | RuntimeException e) {
      directory.kept = directory.kept || files.mayHaveWork() || Files.exists(files.replaced());
      directory.close();
      throw e;
    }
    return directory;
  }

  private void prepare(Start start) throws IOException {
    sealed = files.sealed(start);
    if (files.isPublished(sealed)) {
      if (start != Start.RESUME) {
        if (replaceable == null) {
          files.requireNothingToFollow();
        }
        sealed = SealedWork.none();
        Files.deleteIfExists(journal());
      } else if (isSound(output())) {
        published = true;
        // For what is looked at once more.
        Files.createDirectories(runs());
        return;
      } else if (Files.exists(files.replaced())) {
        throw new BuildException(
            "%s was damaged after it had replaced what is in %s; move one of them away"
                .formatted(output(), files.replaced()));
      }
    }
    files.requireRestorable();
    Directories.restore(index(), output(), files.replaced());
    files.place().requireFree(output(), replaceable);
    requireMovable();
    files.requireWanted(sealed, start);
    if (!sealed.isWorthKeeping() || !Files.exists(runs())) {
      sealed = SealedWork.none();
      Files.deleteIfExists(journal());
      Directories.deleteTree(runs());
    }
    JournalEntry.Finished finished = sealed.finished();
    if (finished == null || !files.isFinished(sealed, finished.form())) {
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
   * Whether the index is complete, and was not damaged since.
   *
   * @param form what it depends on beside the runs
   * @throws IOException if that cannot be said; all stays as it is then
   */
  boolean isComplete(Map<String, String> form) throws IOException {
    return published || (files.isFinished(sealed, form) && isSound(index()));
  }

  /** Whether what is in the index's place, empty or not, can make way for it. */
  private void requireMovable() throws IOException {
    if (Files.isDirectory(output()) && !Directories.isMovable(output(), files.replaced())) {
      throw files.place().immovable();
    }
  }

  /** The same at the end, when what was built is not to be lost. */
  private void requireStillFree() throws IOException {
    if (Directories.isOccupied(output()) && (replaceable == null || !replaceable.test(output()))) {
      kept = true;
      throw new FileAlreadyExistsException(
          output().toString(),
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

  /** Says what else a crawl that holds it does not consist of. */
  void passOver(List<Path> others) {
    passedOver = others;
  }

  /** What a crawl that holds the output does not consist of. */
  List<Path> all() {
    List<Path> all = new ArrayList<>(files.all());
    all.addAll(passedOver);
    return all;
  }

  Path root() {
    return files.root();
  }

  Path output() {
    return files.output();
  }

  Path journal() {
    return files.journal();
  }

  Path input() {
    return files.input();
  }

  Path runs() {
    return files.runs();
  }

  Path index() {
    return files.index();
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
      Directories.replace(index(), output(), files.replaced(), Step.MOVED_OUT::reached);
    } catch (IOException e) {
      // Neither could take the place, and there is no other copy of either.
      kept |= Files.exists(files.replaced()) && Files.exists(index());
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
