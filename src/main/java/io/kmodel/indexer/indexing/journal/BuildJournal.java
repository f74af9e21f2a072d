package io.kmodel.indexer.indexing.journal;

import com.google.common.base.Preconditions;
import com.google.common.util.concurrent.Uninterruptibles;
import io.kmodel.indexer.indexing.journal.CheckpointQueue.Pending;
import io.kmodel.indexer.indexing.journal.JournalEntry.Started;
import io.kmodel.indexer.store.FileSeal;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Saves finished work across a crash of the process or the machine. It forces files to the disk,
 * then the directory that names them, then a line of the journal ({@link JournalEntry}). Lines are
 * written in the order in which work was added; files that a line replaces are deleted after it.
 *
 * <p>A thread does so every {@code interval}, so that no parser waits for the disk, and a build
 * that ends within the first interval never does. A crash loses the work of the last interval and
 * whatever was not finished. If runs have to be written first, a line is written at least every
 * second. Nothing is saved until the crawl is listed and cut, because no build could continue from
 * part of an unknown whole. If the disk fails, the next caller that adds work gets the error. Safe
 * for many threads.
 */
public final class BuildJournal implements AutoCloseable {
  /** Writes files if they are in memory, forces them to the disk, and describes them. */
  @FunctionalInterface
  interface Sealing {
    JournalEntry seal() throws IOException;
  }

  /** Deletes the files that a line has replaced. */
  @FunctionalInterface
  interface After {
    After NOTHING = () -> {};

    void run() throws IOException;
  }

  /** A line is written after this time at the latest: work without a line is lost in a crash. */
  private static final long PIECE_NANOS = 1_000_000_000;

  /** Null if nothing is saved. */
  private final @Nullable JournalLines lines;

  private final Map<String, String> identity;
  private final long intervalNanos;
  private final CheckpointQueue queue = new CheckpointQueue();

  /** Held while lines are written; guards the journal file. */
  private final ReentrantLock writing = new ReentrantLock();

  private final @Nullable Thread thread;

  /** The entry of a complete index; used by the building thread only. */
  private @Nullable Sealing result;

  /** Tells the thread to put back what it has not saved yet. */
  private volatile boolean isStopped;

  private volatile long lastNanos = System.nanoTime();

  private BuildJournal(
      @Nullable JournalLines lines, Map<String, String> identity, Duration interval) {
    this.lines = lines;
    this.identity = Map.copyOf(identity);
    this.intervalNanos = interval.toNanos();
    this.thread = lines == null ? null : new Thread(this::sealNowAndThen, "seal");
  }

  /** A journal that saves nothing, for a build that cannot be resumed. */
  public static BuildJournal none() {
    return new BuildJournal(null, Map.of(), Duration.ZERO);
  }

  /**
   * Opens the journal of a work directory.
   *
   * @param identity options that a build must share to continue this one
   * @param interval time between two saves
   * @param splits number of splits that are saved already
   */
  public static BuildJournal of(
      WorkDirectory directory, Map<String, String> identity, Duration interval, int splits)
      throws IOException {
    JournalLines lines = new JournalLines(directory.journal(), directory.runs());
    BuildJournal journal = new BuildJournal(lines, identity, interval);
    lines.goOn(splits);
    if (directory.sealed().started() != null) {
      journal.queue.open();
    }
    if (journal.thread != null) {
      journal.thread.setDaemon(true);
      journal.thread.start();
    }
    return journal;
  }

  /**
   * Sets the first line, which is written before any other: how the crawl was cut into splits.
   *
   * @param input list of the files
   */
  void begin(Checkpoints.Cut cut, Path input) {
    Sealing first =
        () ->
            new Started(
                identity,
                cut.splitBytes(),
                cut.leadingThreads(),
                cut.splits(),
                cut.borders(),
                FileSeal.force(input, true));
    queue.open(first);
  }

  /** Adds finished work for the next save; fails if a save has failed. */
  void add(Sealing sealing, After after) throws IOException {
    if (lines == null) {
      after.run();
      return;
    }
    queue.add(new Pending(sealing, after, false));
  }

  /** The same for a split. If it cannot be saved, later entries still can, and it is read again. */
  void addSplit(Sealing sealing) throws IOException {
    if (lines != null) {
      queue.add(new Pending(sealing, After.NOTHING, true));
    }
  }

  /** Number of saved splits, including readings that were replaced. */
  int splits() {
    return lines == null ? 0 : lines.splits();
  }

  /** Whether a build could continue from the journal. */
  boolean isKept() {
    return splits() > 0;
  }

  /** Whether a save is due and not running. */
  boolean isDue() {
    return lines != null && !isSealing() && System.nanoTime() - lastNanos >= intervalNanos;
  }

  /** Whether a save is running. */
  boolean isSealing() {
    return writing.isLocked();
  }

  /** Saves everything that was added, in the caller's thread. */
  void sealNow() throws IOException {
    writing.lock();
    try {
      List<Pending> batch = queue.take();
      if (!batch.isEmpty()) {
        seal(batch);
        lastNanos = System.nanoTime();
      }
    } catch (IOException e) {
      queue.fail(e);
      throw e;
    } catch (RuntimeException | Error e) {
      queue.fail(new IOException(e));
      throw e;
    } finally {
      writing.unlock();
    }
  }

  /**
   * Saves a batch. If an entry fails, those before it are saved, and the splits after it. If the
   * journal is stopped meanwhile, the rest is put back.
   */
  private void seal(List<Pending> batch) throws IOException {
    List<Pending> piece = new ArrayList<>();
    List<JournalEntry> entries = new ArrayList<>();
    int from = 0;
    IOException failed = null;
    long start = System.nanoTime();
    for (int i = 0; i < batch.size() && (failed == null || batch.get(i).apart()); i++) {
      if (isStopped) {
        queue.putBack(batch.subList(from, batch.size()));
        return;
      }
      try {
        entries.add(batch.get(i).sealing().seal());
        piece.add(batch.get(i));
      } catch (IOException e) {
        failed = failed == null ? e : failed;
        if (!batch.get(i).apart()) {
          break;
        }
      } catch (RuntimeException | Error e) {
        append(piece, entries);
        throw e;
      }
      if (System.nanoTime() - start >= PIECE_NANOS) {
        append(piece, entries);
        piece.clear();
        entries.clear();
        from = i + 1;
        start = System.nanoTime();
      }
    }
    append(piece, entries);
    if (failed != null) {
      throw failed;
    }
  }

  private void append(List<Pending> piece, List<JournalEntry> entries) throws IOException {
    if (piece.isEmpty()) {
      return;
    }
    Preconditions.checkNotNull(lines).append(entries);
    for (Pending pending : piece) {
      pending.after().run();
    }
  }

  private void sealNowAndThen() {
    try {
      while (queue.await(() -> lastNanos + intervalNanos - System.nanoTime())) {
        sealNow();
      }
    } catch (IOException | RuntimeException | Error e) {
      // The next caller of add() gets the failure.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * After the build has failed: saves what was finished before that, if the disk allows. If the
   * index was complete, only that is recorded.
   *
   * @param cause gets exceptions of this method as suppressed ones
   * @return whether a build can continue from here
   */
  boolean rescue(Throwable cause) {
    // An interrupted thread that writes to a file channel closes the channel.
    boolean interrupted = Thread.interrupted();
    try {
      end();
      if (!trySealingResult(cause)) {
        sealNow();
      }
    } catch (IOException | RuntimeException | Error e) {
      if (e != cause && e.getCause() != cause && cause.getCause() != e) {
        cause.addSuppressed(e);
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    return isKept() || isResultSealed();
  }

  private boolean trySealingResult(Throwable cause) {
    try {
      sealResult();
    } catch (IOException e) {
      if (e != cause) {
        cause.addSuppressed(e);
      }
    }
    return isResultSealed();
  }

  /** Ends the thread, which saves the entry at hand, or puts it back if the journal is stopped. */
  private void end() {
    queue.close();
    if (thread != null) {
      Uninterruptibles.joinUninterruptibly(thread);
    }
  }

  /** Stops saving in the background. {@link #isKept} keeps its value. */
  void stop() {
    isStopped = true;
    end();
    isStopped = false;
  }

  /**
   * After {@link #stop}: the index is complete, so entries that were added are not needed. The
   * record of that is written now if anything is saved, else only if the build fails later.
   */
  void finish(Sealing complete) throws IOException {
    result = complete;
    if (isKept()) {
      sealResult();
    }
  }

  /** Whether a line says that the index is complete. */
  boolean isResultSealed() {
    return lines != null && lines.isComplete();
  }

  /** Writes the record that the index is complete, if it is. */
  void sealResult() throws IOException {
    Sealing complete = result;
    if (lines == null || complete == null || isResultSealed()) {
      return;
    }
    writing.lock();
    try {
      List<Pending> alone = queue.first();
      alone.add(new Pending(complete, After.NOTHING, false));
      seal(alone);
    } finally {
      writing.unlock();
    }
  }

  @Override
  public void close() throws IOException {
    stop();
    if (lines != null) {
      lines.close();
    }
  }
}
