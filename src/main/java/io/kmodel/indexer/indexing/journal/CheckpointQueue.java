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
 * Entries that wait to be saved, in the order in which they were added. None is handed out until
 * the crawl is cut; the entry that says how comes first. Safe for many threads.
 */
final class CheckpointQueue {
  /**
   * An entry to save.
   *
   * @param apart whether the others are valid without it
   */
  record Pending(Sealing sealing, After after, boolean apart) {}

  // Everything is guarded by this object's lock.
  private final Deque<Pending> waiting = new ArrayDeque<>();
  private @Nullable Pending started;
  private boolean isOpen;
  private boolean isClosed;
  private @Nullable IOException failure;

  /** Opens the queue of a resumed build, whose journal has the cut already. */
  synchronized void open() {
    isOpen = true;
    notifyAll();
  }

  /**
   * Opens the queue. The given entry, which has the cut, comes before all others until it is
   * written.
   */
  synchronized void open(Sealing first) {
    started = new Pending(first, this::startIsWritten, false);
    open();
  }

  private synchronized void startIsWritten() {
    started = null;
  }

  /** Adds an entry; fails if a save has failed. */
  synchronized void add(Pending pending) throws IOException {
    requireNoFailure();
    waiting.add(pending);
    notifyAll();
  }

  /** Removes and returns all entries that can be saved now; fails if a save has failed. */
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

  /** Puts entries back in their order, before those that were added since. */
  synchronized void putBack(List<Pending> taken) {
    for (Pending pending : taken.reversed()) {
      if (!pending.equals(started)) {
        waiting.addFirst(pending);
      }
    }
  }

  /** The first entry, if it is not written yet. */
  synchronized List<Pending> first() {
    List<Pending> first = new ArrayList<>();
    if (started != null) {
      first.add(started);
    }
    return first;
  }

  /** Makes the next calls of {@link #add} fail; the first failure counts. */
  synchronized void fail(IOException e) {
    failure = failure == null ? e : failure;
  }

  private void requireNoFailure() throws IOException {
    if (failure != null) {
      throw new IOException("finished work could not be saved: " + failure.getMessage(), failure);
    }
  }

  /**
   * Waits until there is an entry to save and it is time.
   *
   * @param leftNanos time left until then
   * @return false when the queue is closed
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

  /** Wakes all waiting threads. Entries can still be taken. */
  synchronized void close() {
    isClosed = true;
    notifyAll();
  }
}
