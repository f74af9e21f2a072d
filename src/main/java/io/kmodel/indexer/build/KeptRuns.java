package io.kmodel.indexer.build;

import io.kmodel.indexer.run.MemoryRun;
import io.kmodel.indexer.run.RunBuilder;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Runs that wait for the merge in memory, as long as there is room. They stay there until this is
 * closed, also when their files were written meanwhile, since whoever merges them may be at it.
 * Memory: at most what it is given, off-heap, taken as it fills. Safe for many threads.
 */
final class KeptRuns implements AutoCloseable {
  private final AtomicLong free;
  private final Queue<MemoryRun> runs = new ConcurrentLinkedQueue<>();

  KeptRuns(long bytes) {
    free = new AtomicLong(bytes);
  }

  /** A copy of a sorted run; null where there is no room for it, or it cannot be kept so. */
  @Nullable MemoryRun keep(RunBuilder sorted) {
    MemoryRun run = sorted.copy(this::reserve);
    if (run != null) {
      runs.add(run);
      free.addAndGet(run.spareBytes());
    }
    return run;
  }

  private boolean reserve(long bytes) {
    return free.getAndUpdate(left -> left >= bytes ? left - bytes : left) >= bytes;
  }

  /** Frees the memory. */
  @Override
  public void close() {
    runs.forEach(MemoryRun::close);
  }
}
