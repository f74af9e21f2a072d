package io.kmodel.indexer.indexing.journal;

import io.kmodel.indexer.index.InvertedIndexWriter;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.Recovery.Start;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.store.disk.Directories;
import io.kmodel.indexer.store.disk.LockedException;
import io.kmodel.indexer.store.disk.RefusedOutputException;
import io.kmodel.indexer.store.disk.StagedOutput;
import io.kmodel.indexer.store.disk.StagedOutput.Replaceable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The work directory of a build (see {@link StagedOutput}), with the saved work of an interrupted
 * build:
 *
 * <pre>
 * journal    finished work, see {@link JournalEntry}
 * input      the files of the crawl, see {@link InputList}
 * runs/      runs, stored documents and lists of the splits; missing if the index has its name but
 *            an export of it is not finished
 * stdin      a copy of standard input, if that is a part of the crawl
 * index/     the index while it is made
 * </pre>
 *
 * Closing deletes the directory, unless {@link #keep} was called. If the process is killed, the
 * next build into the same output continues or deletes its work, depending on its options.
 */
public final class WorkDirectory implements AutoCloseable {
  private final StagedOutput out;
  private final @Nullable Replaceable replaceable;
  private final OutputValidator soundness;
  private RecoveredState sealed = RecoveredState.none();
  private List<Path> passedOver = List.of();
  private boolean published;

  private WorkDirectory(
      StagedOutput out, @Nullable Replaceable replaceable, OutputValidator soundness) {
    this.out = out;
    this.replaceable = replaceable;
    this.soundness = soundness;
  }

  /**
   * Checks, without writing, whether {@link #create} would refuse.
   *
   * @param replaceable what may be replaced; null for nothing
   * @return what the build would continue
   * @throws BuildException if it would
   */
  public static RecoveredState look(Path output, @Nullable Replaceable replaceable, Start start)
      throws IOException {
    StagedOutput out = OutputPlace.of(output, replaceable);
    try {
      return new WorkDirectory(out, replaceable, index -> true).look(start);
    } catch (RefusedOutputException e) {
      throw new BuildException(String.valueOf(e.getMessage()));
    }
  }

  private RecoveredState look(Start start) throws IOException {
    out.requireMakable();
    RecoveredState left = left(start);
    boolean isPublished = isPublished(left);
    if (isPublished && start == Start.RESUME) {
      return left;
    }
    if (isPublished && replaceable == null) {
      requireNoExportMissing();
    }
    out.requireFree();
    if (isPublished) {
      return RecoveredState.none();
    }
    requireWanted(left, start);
    return left;
  }

  /** Prepares the directory for a build that cannot continue another one. */
  public static WorkDirectory create(Path output, @Nullable Replaceable replaceable)
      throws IOException {
    return create(output, replaceable, Start.FRESH, index -> true);
  }

  /**
   * Locks and prepares the directory.
   *
   * @param replaceable what may be replaced; null for nothing
   * @param soundness checks an index that an interrupted build had completed
   * @throws BuildException if the output exists and may not be replaced or moved, if another build
   *     is at work on it, or if finished work would be lost
   */
  public static WorkDirectory create(
      Path output, @Nullable Replaceable replaceable, Start start, OutputValidator soundness)
      throws IOException {
    StagedOutput out = OutputPlace.of(output, replaceable);
    WorkDirectory directory = new WorkDirectory(out, replaceable, soundness);
    try {
      out.lock();
      try {
        directory.prepare(start);
      } catch (IOException | RuntimeException e) {
        directory.keep(out.isKept() || directory.mayHaveWork() || Files.exists(out.replaced()));
        directory.close();
        throw e;
      }
      return directory;
    } catch (LockedException e) {
      throw new BuildException(
          "another build is at work on %s: %s (%s)".formatted(out.output(), e.owner(), out.work()));
    } catch (RefusedOutputException e) {
      throw new BuildException(String.valueOf(e.getMessage()));
    }
  }

  /**
   * Ends the replacement of an index by a process that was killed: deletes the old index, or puts
   * it back if no other has its name.
   *
   * @param replaceable what may be replaced
   * @throws BuildException if an interrupted build would be lost, or another process is at work
   */
  public static void endReplacement(Path output, Replaceable replaceable) throws IOException {
    if (Files.exists(OutputPlace.of(output, replaceable).replaced())) {
      create(output, replaceable).close();
    }
  }

  private void prepare(Start start) throws IOException {
    sealed = left(start);
    if (isPublished(sealed)) {
      if (start != Start.RESUME) {
        if (replaceable == null) {
          requireNoExportMissing();
        }
        sealed = RecoveredState.none();
        Files.deleteIfExists(journal());
      } else if (isSound(output())) {
        published = true;
        // The crawl is listed once more.
        Files.createDirectories(runs());
        return;
      } else if (Files.exists(out.replaced())) {
        throw new BuildException(
            "%s was damaged after it had replaced what is in %s; move one of them away"
                .formatted(output(), out.replaced()));
      }
    }
    takeBack();
    out.restore();
    requireWanted(sealed, start);
    if (!sealed.isWorthKeeping() || !Files.exists(runs())) {
      sealed = RecoveredState.none();
      Files.deleteIfExists(journal());
      Directories.deleteTree(runs());
      if (start != Start.RESUME) {
        Files.deleteIfExists(standardInput());
      }
    }
    JournalEntry.Finished finished = sealed.finished();
    if (finished == null || !isFinished(finished.form())) {
      deleteUnlessMerged();
    }
    Files.createDirectories(runs());
  }

  /**
   * Gives the finished index its name in this directory if the process died before the exchange.
   */
  private void takeBack() throws IOException {
    JournalEntry.Finished finished = sealed.finished();
    if (finished != null
        && !Files.exists(index())
        && finished.metadata().isIn(out.replaced())
        && !finished.metadata().isIn(output())) {
      Files.move(out.replaced(), index(), StandardCopyOption.ATOMIC_MOVE);
    }
  }

  private void deleteUnlessMerged() throws IOException {
    if (sealed.mergedRanges() != null) {
      return;
    }
    JournalEntry.Finished finished = sealed.finished();
    if (finished != null) {
      // First, so that the rest of the index does not pass for a complete one.
      Files.deleteIfExists(finished.metadata().in(index()));
    }
    Directories.deleteTree(index());
  }

  /** What a build that starts so can continue: runs, or an index that has its name. */
  private RecoveredState left(Start start) throws IOException {
    RecoveredState left =
        start == Start.RESTART ? RecoveredState.none() : RecoveredState.read(journal());
    return Files.exists(runs()) || isPublished(left) ? left : RecoveredState.none();
  }

  /** True also for a journal that cannot be read, which may be another version's. */
  private boolean mayHaveWork() {
    try {
      return RecoveredState.read(journal()).isWorthKeeping();
    } catch (IOException | BuildException e) {
      return true;
    }
  }

  /**
   * Whether the finished index has its name. An equal index may have been there before, so this one
   * has it only if it is nowhere else.
   */
  private boolean isPublished(RecoveredState work) throws IOException {
    JournalEntry.Finished finished = work.finished();
    return finished != null
        && !Files.exists(index())
        && Files.isDirectory(output())
        && finished.metadata().isIn(output());
  }

  /** Whether the index only had to be moved to its name. */
  private boolean isFinished(Map<String, String> form) throws IOException {
    JournalEntry.Finished finished = sealed.finished();
    return finished != null
        && finished.form().equals(form)
        && Files.exists(index().resolve(BuildReport.FILE_NAME))
        && finished.metadata().isIn(index());
  }

  private void requireNoExportMissing() {
    if (!Files.exists(runs())) {
      throw new BuildException(
          "%s exists already; finish its export with build --resume, or replace it with --overwrite"
              .formatted(output()));
    }
  }

  /** Refuses to delete finished work unless told to. */
  private void requireWanted(RecoveredState work, Start start) {
    if (work.isWorthKeeping() && start == Start.FRESH) {
      throw new BuildException(
          "%s has %s of an interrupted build; continue with build --resume, delete it with build --restart, or name another output"
              .formatted(
                  root(),
                  work.splits() == 0
                      ? "the index"
                      : "finished work (parts of the input: %,d)".formatted(work.splits())));
    }
  }

  /** An index that is not sound need not be kept; its runs may be. */
  private boolean isSound(Path index) throws IOException {
    // Everything is kept until the result is known, also if the check fails.
    keep(true);
    if (soundness.test(index)) {
      return true;
    }
    sealed.forgetMergedRanges();
    return false;
  }

  /** Whether the killed process only had to delete this directory. */
  public boolean isPublished() {
    return published;
  }

  /**
   * Whether the index is complete and undamaged.
   *
   * @param form what it depends on besides the runs
   * @throws IOException if the check fails; everything is kept then
   */
  public boolean isComplete(Map<String, String> form) throws IOException {
    return published || (isFinished(form) && isSound(index()));
  }

  /** What an interrupted build has finished. */
  public RecoveredState sealed() {
    return sealed;
  }

  /** Verifies it (see {@link RecoveredState#verify}) and deletes what is damaged. */
  public List<String> verify(int threads) throws IOException, InterruptedException {
    List<String> damaged = sealed.verify(runs(), threads);
    deleteUnlessMerged();
    return damaged;
  }

  /** Sets further paths that are no part of the crawl. */
  public void passOver(List<Path> others) {
    passedOver = others;
  }

  /** The paths that are no part of a crawl that holds them. */
  public List<Path> all() {
    List<Path> all = new ArrayList<>(out.places());
    all.addAll(passedOver);
    return all;
  }

  public Path root() {
    return out.work();
  }

  public Path output() {
    return out.output();
  }

  public Path journal() {
    return root().resolve(OutputPlace.JOURNAL);
  }

  public Path input() {
    return root().resolve(OutputPlace.INPUT);
  }

  public Path runs() {
    return root().resolve(OutputPlace.RUNS);
  }

  /** A complete copy of standard input. */
  public Path standardInput() {
    return root().resolve(OutputPlace.STANDARD_INPUT);
  }

  /** The copy while it is made. */
  public Path standardInputPart() {
    return root().resolve(OutputPlace.STANDARD_INPUT_PART);
  }

  public Path index() {
    return out.made();
  }

  /**
   * Moves the finished index to its name.
   *
   * @throws FileAlreadyExistsException if something else has that name by now; the index stays in
   *     the work directory then
   */
  public void publish() throws IOException {
    try {
      out.requireReplaceable();
      InvertedIndexWriter.forgetCheckpoints(index());
      out.publish(CrashPoint.MOVED_OUT::reached);
    } catch (BuildException e) {
      keep(true);
      throw new FileAlreadyExistsException(
          output().toString(),
          null,
          "appeared while the index was built; move it away (the index is %s)".formatted(index()));
    }
    CrashPoint.PUBLISHED.reached();
    keep(false);
  }

  /** Sets whether closing leaves everything for a build that continues this one. */
  public void keep(boolean whether) {
    out.keep(whether);
  }

  @Override
  public void close() throws IOException {
    try (out) {
      if (!out.isKept()) {
        // First, so that no build continues from a part of the rest.
        try {
          Files.deleteIfExists(journal());
        } catch (IOException e) {
          keep(true); // it names the other files
          throw e;
        }
        CrashPoint.FORGOTTEN.reached();
      }
    }
  }
}
