package io.kmodel.indexer.indexing.documents;

import io.kmodel.indexer.run.MemoryRun;
import io.kmodel.indexer.run.RunBuilder;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Runs that wait for the merge in memory, where all of a build's are likely to have room there: if
 * some have to be written anyway, memory is better left alone. They stay until this is closed, also
 * when their files were written meanwhile, since whoever merges them may be at it. Memory: at most
 * what it is given, off-heap, taken as it fills, and on the heap the runs' samples. Safe for many
 * threads.
 */
public final class InMemoryRuns implements AutoCloseable {
  /** Taken to be read while it is not known: crawls that take long to list are large. */
  private static final double SHARE_WHILE_LISTING = 0.25;

  private final long capacity;

  /** Of the runs that are here. */
  private final AtomicLong used = new AtomicLong();

  /** What all runs so far would take, those included that are not here. */
  private final AtomicLong made = new AtomicLong();

  private final Queue<MemoryRun> runs = new ConcurrentLinkedQueue<>();

  public InMemoryRuns(long capacity) {
    this.capacity = capacity;
  }

  /**
   * A copy of a sorted run; null where there is no room for it, or it cannot be kept so.
   *
   * @param share of the documents that were read by now, 0 where that is not known
   */
  @Nullable MemoryRun keep(RunBuilder sorted, double share) {
    AtomicLong reserved = new AtomicLong();
    MemoryRun run = null;
    try {
      run = sorted.copy(bytes -> reserve(bytes, share, reserved));
    } catch (OutOfMemoryError e) {
      // The system has less than the budget: it is written.
    }
    if (run == null) {
      used.addAndGet(-reserved.get());
      return null;
    }
    runs.add(run);
    used.addAndGet(-run.spareBytes());
    made.addAndGet(-run.spareBytes());
    return run;
  }

  private boolean reserve(long bytes, double share, AtomicLong reserved) {
    // Runs of documents that are being read are missing here, so more may be kept than fit in the
    // end; those are written.
    long all = made.addAndGet(bytes);
    if (all / (share == 0 ? SHARE_WHILE_LISTING : share) > capacity) {
      return false;
    }
    if (used.getAndUpdate(now -> capacity - now >= bytes ? now + bytes : now) > capacity - bytes) {
      return false;
    }
    reserved.set(bytes);
    return true;
  }

  /** Frees the memory. */
  @Override
  public void close() {
    runs.forEach(MemoryRun::close);
  }
}
