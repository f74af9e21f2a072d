package io.kmodel.indexer.build;

import io.kmodel.indexer.build.Recovery.Start;
import io.kmodel.indexer.store.Directories;
import io.kmodel.indexer.store.DirectoryLock;
import io.kmodel.indexer.store.ForeignDirectoryException;
import io.kmodel.indexer.store.LockedException;
import io.kmodel.indexer.store.OutputFile;
import io.kmodel.indexer.store.Places;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a build has in its directory, and what can be told from it without changing any of it.
 *
 * <pre>
 * lock       who is at work (see {@link DirectoryLock})
 * journal    what is finished (see {@link JournalEntry})
 * input      the files of the crawl (see {@link InputList})
 * runs/      what came of the splits; not there where the index is in its place, and more is made of it
 * index/     the index in the making
 * replaced/  the index that was in its place, for a moment
 * </pre>
 *
 * @param place where the index is to appear
 */
record WorkFiles(OutputPlace place) {
  private static final String JOURNAL = "journal";
  private static final String INPUT = "input";
  private static final String RUNS = "runs";
  private static final String INDEX = "index";
  private static final String REPLACED = "replaced";

  /** All that a build may leave. */
  private static final Set<String> ENTRIES =
      Set.of(
          JOURNAL, INPUT, OutputFile.temporary(Path.of(INPUT)).toString(), RUNS, INDEX, REPLACED);

  /**
   * What a build of an output would have.
   *
   * @throws BuildException if no index can be there
   */
  static WorkFiles of(Path output) throws IOException {
    return new WorkFiles(OutputPlace.of(output));
  }

  Path output() {
    return place.output();
  }

  Path root() {
    return place.work();
  }

  Path journal() {
    return root().resolve(JOURNAL);
  }

  Path input() {
    return root().resolve(INPUT);
  }

  Path runs() {
    return root().resolve(RUNS);
  }

  Path index() {
    return root().resolve(INDEX);
  }

  Path replaced() {
    return root().resolve(REPLACED);
  }

  /** What a crawl that holds the output does not consist of, whether it is there or not. */
  List<Path> all() {
    return List.of(output(), root());
  }

  /**
   * Looks that a build does not read what it deletes at its end: what it works in, and the index
   * that it replaces.
   *
   * @param replaceable what may be in the index's place and be replaced; null for nothing
   * @throws BuildException if it would
   */
  void requireApart(List<Path> input, OutputPlace.@Nullable Replaceable replaceable)
      throws IOException {
    for (Path path : input) {
      if (Places.isWithin(path, root())) {
        throw new BuildException(
            "%s cannot be input of a build of %s, which works in %s and deletes it; choose another output"
                .formatted(path, output(), root()));
      }
      if (replaceable != null
          && Files.isDirectory(output())
          && Places.isWithin(path, output())
          && replaceable.test(output())) {
        throw new BuildException(
            "%s cannot be input of a build of %s, which takes its place; choose another output"
                .formatted(path, output()));
      }
    }
  }

  /**
   * Looks whether {@link WorkDirectory#create} would refuse.
   *
   * @param replaceable what may be in the index's place and be replaced; null for nothing
   * @return what would be gone on with
   * @throws BuildException if it would
   */
  SealedWork look(OutputPlace.@Nullable Replaceable replaceable, Start start) throws IOException {
    Places.requireMakable(output());
    try {
      DirectoryLock.requireOurs(root(), ENTRIES);
    } catch (ForeignDirectoryException e) {
      throw new BuildException(String.valueOf(e.getMessage()));
    }
    SealedWork sealed = sealed(start);
    boolean published = isPublished(sealed);
    if (published && start == Start.RESUME) {
      return sealed;
    }
    if (published && replaceable == null) {
      requireNothingToFollow();
    }
    requireRestorable();
    // What was on the way out would be put back.
    place.requireFree(Directories.isOccupied(output()) ? output() : replaced(), replaceable);
    place.requireUnmounted();
    if (published) {
      return SealedWork.none();
    }
    requireWanted(sealed, start);
    return sealed;
  }

  /**
   * Takes the directory, and makes it where it is not there.
   *
   * @throws BuildException if another build has it, or if it is none of a build's
   */
  DirectoryLock lock() throws IOException {
    Places.requireMakable(output());
    try {
      return DirectoryLock.take(root(), ENTRIES);
    } catch (LockedException e) {
      throw new BuildException(
          "another build is at work on %s: %s (%s)".formatted(output(), e.owner(), root()));
    } catch (ForeignDirectoryException e) {
      throw new BuildException(String.valueOf(e.getMessage()));
    }
  }

  /** What a build that starts so can go on with: runs, or an index that is in its place. */
  SealedWork sealed(Start start) throws IOException {
    SealedWork sealed = start == Start.RESTART ? SealedWork.none() : SealedWork.read(journal());
    return Files.exists(runs()) || isPublished(sealed) ? sealed : SealedWork.none();
  }

  /** What cannot be read may be another version's. */
  boolean mayHaveWork() {
    try {
      return SealedWork.read(journal()).isWorthKeeping();
    } catch (IOException | BuildException e) {
      return true;
    }
  }

  /**
   * Whether the finished index is in its place. One of the same documents may have been there
   * before: so it is this one only if this one is nowhere else.
   */
  boolean isPublished(SealedWork sealed) throws IOException {
    JournalEntry.Finished finished = sealed.finished();
    return finished != null
        && !Files.exists(index())
        && Files.isDirectory(output())
        && finished.metadata().isIn(output());
  }

  /**
   * Whether all that was left to do was to move the index to its place.
   *
   * @param form what it depends on beside the runs
   */
  boolean isFinished(SealedWork sealed, Map<String, String> form) throws IOException {
    JournalEntry.Finished finished = sealed.finished();
    return finished != null
        && finished.form().equals(form)
        && Files.exists(index().resolve(BuildReport.FILE_NAME))
        && finished.metadata().isIn(index());
  }

  /** Looks whether the index that is in its place was not all that was wanted. */
  void requireNothingToFollow() {
    if (!Files.exists(runs())) {
      throw new BuildException(
          "%s exists already; make of it what is missing with build --resume, or replace it with --overwrite"
              .formatted(output()));
    }
  }

  /** Looks whether finished work would be lost that nobody said anything about. */
  void requireWanted(SealedWork sealed, Start start) {
    if (sealed.isWorthKeeping() && start == Start.ANEW) {
      throw new BuildException(
          "%s has %s of a build that was interrupted; go on with build --resume, drop %s with build --restart, or name another output"
              .formatted(
                  root(),
                  sealed.splits() == 0
                      ? "the index"
                      : "%,d finished splits".formatted(sealed.splits()),
                  sealed.splits() == 0 ? "it" : "them"));
    }
  }

  /** Looks whether what was on the way out can go back, if it has to. */
  void requireRestorable() throws IOException {
    try {
      Directories.requireRestorable(index(), output(), replaced());
    } catch (FileSystemException e) {
      throw new BuildException(String.valueOf(e.getMessage()));
    }
  }
}
