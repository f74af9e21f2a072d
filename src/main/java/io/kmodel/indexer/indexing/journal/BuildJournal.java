package io.kmodel.indexer.indexing.journal;

import com.google.common.base.Preconditions;
import com.google.common.util.concurrent.Uninterruptibles;
import io.kmodel.indexer.indexing.journal.CheckpointQueue.Pending;
import io.kmodel.indexer.indexing.journal.JournalEntry.Begun;
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
 * Makes what is finished survive the process and the machine: its files are forced to the disk,
 * then the directory that names them, then a line in the journal ({@link JournalEntry}), in the
 * order in which things were added. What a line replaces is deleted after that.
 *
 * <p>A thread of its own does so every {@code interval}, so that nobody who parses waits for the
 * disk, and a build that ends before the first time never does: what the death of the process takes
 * is what was finished within the last interval, and what was not finished. Where files have to be
 * written for that, lines say after each second which are safe. Until the crawl is listed and cut
 * nothing is sealed: nobody could go on from what is a part of an unknown whole. A disk that
 * refuses is an error of the build, told to whoever adds next. Safe for many threads.
 */
public final class BuildJournal implements AutoCloseable {
  /** Forces files to the disk, written for it if they were not, and tells what they are. */
  @FunctionalInterface
  interface Sealing {
    JournalEntry seal() throws IOException;
  }

  /** Deletes what a line has made superfluous. */
  @FunctionalInterface
  interface After {
    After NOTHING = () -> {};

    void run() throws IOException;
  }

  /** How long is sealed until lines say so: what is not in a line is lost with the process. */
  private static final long PIECE_NANOS = 1_000_000_000;

  /** Null where nothing is kept. */
  private final @Nullable JournalLines lines;

  private final Map<String, String> identity;
  private final long intervalNanos;
  private final CheckpointQueue queue = new CheckpointQueue();

  /** Held while lines are written; the journal's state is its holder's. */
  private final ReentrantLock writing = new ReentrantLock();

  private final @Nullable Thread thread;

  /** What the build has made, when that is complete; of the thread that builds. */
  private @Nullable Sealing result;

  /** What is in hand need not be finished now. */
  private volatile boolean isStopped;

  private volatile long lastNanos = System.nanoTime();

  private BuildJournal(
      @Nullable JournalLines lines, Map<String, String> identity, Duration interval) {
    this.lines = lines;
    this.identity = Map.copyOf(identity);
    this.intervalNanos = interval.toNanos();
    this.thread = lines == null ? null : new Thread(this::sealNowAndThen, "seal");
  }

  /** A journal that forgets everything, for a build that cannot go on after its end. */
  public static BuildJournal none() {
    return new BuildJournal(null, Map.of(), Duration.ZERO);
  }

  /**
   * The journal of a work directory.
   *
   * @param identity what makes the build another if it differs
   * @param interval between two times that something is forced to the disk
   * @param splits that it has already
   */
  public static BuildJournal of(
      WorkDirectory directory, Map<String, String> identity, Duration interval, int splits)
      throws IOException {
    JournalLines lines = new JournalLines(directory.journal(), directory.runs());
    BuildJournal journal = new BuildJournal(lines, identity, interval);
    lines.goOn(splits);
    if (directory.sealed().begun() != null) {
      journal.queue.open();
    }
    if (journal.thread != null) {
      journal.thread.setDaemon(true);
      journal.thread.start();
    }
    return journal;
  }

  /**
   * Says what the first line will be, if there are any: how the crawl was cut into splits.
   *
   * @param input list of the files
   */
  public void begin(Checkpoints.Cut cut, Path input) {
    Sealing first =
        () ->
            new Begun(
                identity,
                cut.splitBytes(),
                cut.leadingThreads(),
                cut.splits(),
                cut.borders(),
                FileSeal.force(input, true));
    queue.open(first);
  }

  /** Adds something finished, to be sealed with the next that are; fails if sealing has failed. */
  void add(Sealing sealing, After after) throws IOException {
    if (lines == null) {
      after.run();
      return;
    }
    queue.add(new Pending(sealing, after, false));
  }

  /** The same of a split, which is read again where it cannot be sealed. */
  void addSplit(Sealing sealing) throws IOException {
    if (lines != null) {
      queue.add(new Pending(sealing, After.NOTHING, true));
    }
  }

  /** Splits that are sealed; readings that were replaced count too. */
  int splits() {
    return lines == null ? 0 : lines.splits();
  }

  /** Whether there is a journal to go on from. */
  boolean isKept() {
    return splits() > 0;
  }

  /** Whether it is time to seal what can be sealed now, and nobody does so. */
  boolean isDue() {
    return lines != null && !isSealing() && System.nanoTime() - lastNanos >= intervalNanos;
  }

  /** Whether somebody is at it. */
  boolean isSealing() {
    return writing.isLocked();
  }

  /** Seals all that was added, in the caller's thread. */
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
   * Where one cannot be sealed, those before it are, and after it splits that need nothing else.
   * What is left when the journal is stopped is put back.
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
      // Whoever adds next is told.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * After the build has failed: seals what was finished until then, if the disk lets it. That is
   * what the build has made, and nothing else, if that was complete.
   *
   * @param cause gets what goes wrong here
   * @return whether there is something to go on from
   */
  boolean rescue(Throwable cause) {
    // Files are closed under whoever writes to them in a thread that is told to stop.
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

  /** Ends the thread; what it has in hand it seals, or puts back if it is stopped. */
  private void end() {
    queue.close();
    if (thread != null) {
      Uninterruptibles.joinUninterruptibly(thread);
    }
  }

  /** Nothing more is sealed unless somebody asks for it; {@link #isKept} stays. */
  void stop() {
    isStopped = true;
    end();
    isStopped = false;
  }

  /**
   * After {@link #stop}: what the build has made is complete, and nothing that was added is needed
   * any more. It is sealed where there is a journal, and else if the build fails all the same.
   */
  void finish(Sealing complete) throws IOException {
    result = complete;
    if (isKept()) {
      sealResult();
    }
  }

  /** Whether a line says that what the build has made is complete. */
  boolean isResultSealed() {
    return lines != null && lines.isComplete();
  }

  /** Seals what the build has made, if that is complete, for one that goes on after it. */
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
