package io.kmodel.indexer.indexing.documents;

import io.kmodel.indexer.run.MemoryRun;
import io.kmodel.indexer.run.OrderedRun;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Runs that wait for the merge in memory, if all runs of the build are likely to fit. If some have
 * to be written anyway, keeping others gains nothing. Runs stay until this is closed, even if their
 * files are written meanwhile, since a merge may be reading them. Memory: at most the given
 * capacity, off-heap, allocated as it fills, and the samples of the runs on the heap. Safe for many
 * threads.
 */
public final class InMemoryRuns implements AutoCloseable {
  /**
   * Assumed share of the documents while the crawl is listed: crawls that take long to list are
   * large.
   */
  private static final double SHARE_WHILE_LISTING = 0.25;

  private final long capacity;

  /** Bytes of the runs in memory. */
  private final AtomicLong used = new AtomicLong();

  /** Bytes that all runs so far would take in memory. */
  private final AtomicLong made = new AtomicLong();

  private final Queue<MemoryRun> runs = new ConcurrentLinkedQueue<>();

  public InMemoryRuns(long capacity) {
    this.capacity = capacity;
  }

  /**
   * Copies a sorted run; null if there is no room for it, or it cannot be kept.
   *
   * @param share of the documents that were read so far, 0 if unknown
   */
  @Nullable MemoryRun keep(OrderedRun sorted, double share) {
    AtomicLong reserved = new AtomicLong();
    MemoryRun run = null;
    try {
      run = sorted.copy(bytes -> reserve(bytes, share, reserved));
    } catch (OutOfMemoryError e) {
      // The system has less memory than the budget; the run is written.
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
    // Runs that are being filled are not counted, so more may be kept than fit in the end; the last
    // ones are written then.
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
