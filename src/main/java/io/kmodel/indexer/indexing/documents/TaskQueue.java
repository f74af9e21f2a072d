package io.kmodel.indexer.indexing.documents;

import io.kmodel.indexer.indexing.documents.SplitReading.Task;
import io.kmodel.indexer.source.Split;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Hands out splits to several threads, in order. The last ones may become known while the first are
 * read. A split is claimed when it is handed out, and released when the queue is closed.
 */
final class TaskQueue implements AutoCloseable {
  /** Supplies the tasks after the known ones. */
  @FunctionalInterface
  interface More {
    /** The next tasks, possibly none; null at the end. */
    @Nullable List<Task> get() throws IOException, InterruptedException;
  }

  private final Queue<Task> known;
  private final List<Split> claimed = new ArrayList<>();
  private @Nullable More more;

  TaskQueue(List<Task> tasks) {
    this(tasks, null);
  }

  /**
   * A queue.
   *
   * @param more called until its end, each time by a thread that has nothing else to do, while the
   *     others wait
   */
  TaskQueue(List<Task> tasks, @Nullable More more) {
    this.known = new ArrayDeque<>(tasks);
    this.more = more;
  }

  /** The next task; null at the end. If {@code more} has failed, the other threads get null. */
  synchronized @Nullable Task poll() throws IOException, InterruptedException {
    askForMore();
    Task next = known.poll();
    if (next != null) {
      next.split().claim();
      claimed.add(next.split());
    }
    return next;
  }

  /** Releases the splits; no thread may read any more. */
  @Override
  public synchronized void close() throws IOException {
    for (Split split : claimed) {
      split.release();
    }
    claimed.clear();
  }

  /** Whether there are no more tasks; may wait for them to become known. */
  synchronized boolean isEmpty() throws IOException, InterruptedException {
    askForMore();
    return known.isEmpty();
  }

  private void askForMore() throws IOException, InterruptedException {
    while (known.isEmpty() && more != null) {
      More asked = more;
      more = null;
      List<Task> next = asked.get();
      if (next != null) {
        known.addAll(next);
        more = asked;
      }
    }
  }
}
