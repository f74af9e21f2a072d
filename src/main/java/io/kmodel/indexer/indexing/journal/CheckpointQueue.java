package io.kmodel.indexer.indexing.journal;

import io.kmodel.indexer.indexing.journal.BuildJournal.After;
import io.kmodel.indexer.indexing.journal.BuildJournal.Sealing;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What waits to be sealed, in the order in which it was added. Nothing is given out until it is
 * known how the crawl was cut; what says so comes first then. Safe for many threads.
 */
final class CheckpointQueue {
  /**
   * Something to be sealed.
   *
   * @param apart whether it may be missing without harm to what was added before and after it
   */
  record Pending(Sealing sealing, After after, boolean apart) {}

  // All of it with this object's lock.
  private final Deque<Pending> waiting = new ArrayDeque<>();
  private @Nullable Pending begun;
  private boolean isOpen;
  private boolean isClosed;
  private @Nullable IOException failure;

  /** The crawl is known by the build that this one goes on with. */
  synchronized void open() {
    isOpen = true;
    notifyAll();
  }

  /** The crawl is known; what says so is sealed before anything else, until it is written. */
  synchronized void open(Sealing first) {
    begun = new Pending(first, this::begunIsWritten, false);
    open();
  }

  private synchronized void begunIsWritten() {
    begun = null;
  }

  /** Adds something; fails if sealing has failed. */
  synchronized void add(Pending pending) throws IOException {
    requireNoFailure();
    waiting.add(pending);
    notifyAll();
  }

  /** All that can be sealed now, which waits no more; fails if sealing has failed. */
  synchronized List<Pending> take() throws IOException {
    requireNoFailure();
    if (!isOpen || waiting.isEmpty()) {
      return List.of();
    }
    List<Pending> batch = first();
    batch.addAll(waiting);
    waiting.clear();
    return batch;
  }

  /** Has what was taken, in its order, wait again before all that was added since. */
  synchronized void putBack(List<Pending> taken) {
    for (Pending pending : taken.reversed()) {
      if (!pending.equals(begun)) {
        waiting.addFirst(pending);
      }
    }
  }

  /** What has to be sealed before anything else, if it is not written yet. */
  synchronized List<Pending> first() {
    List<Pending> first = new ArrayList<>();
    if (begun != null) {
      first.add(begun);
    }
    return first;
  }

  /** Has whoever adds next fail; the first failure counts. */
  synchronized void fail(IOException e) {
    failure = failure == null ? e : failure;
  }

  private void requireNoFailure() throws IOException {
    if (failure != null) {
      throw new IOException(
          "what was finished could not be kept: " + failure.getMessage(), failure);
    }
  }

  /**
   * Waits until there is something to seal and it is time.
   *
   * @param leftNanos until then
   * @return false at the end, whatever waits
   */
  synchronized boolean await(LongSupplier leftNanos) throws InterruptedException {
    while (!isClosed) {
      long left = leftNanos.getAsLong();
      if (!isOpen || waiting.isEmpty()) {
        wait();
      } else if (left > 0) {
        wait(left / 1_000_000 + 1);
      } else {
        return true;
      }
    }
    return false;
  }

  /** The end: nobody waits any more. What is there can still be taken. */
  synchronized void close() {
    isClosed = true;
    notifyAll();
  }
}
