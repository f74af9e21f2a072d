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
 * What is to be read, handed out in order to several threads; the last parts of it may become known
 * while they read the first. Splits are claimed as they are handed out; closing releases them.
 */
final class TaskQueue implements AutoCloseable {
  /** What comes after the tasks that are known. */
  @FunctionalInterface
  interface More {
    /** The next ones, which may be none; null at the end. */
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
   * @param more asked until its end, each time by a thread that finds nothing else to do, while the
   *     others wait
   */
  TaskQueue(List<Task> tasks, @Nullable More more) {
    this.known = new ArrayDeque<>(tasks);
    this.more = more;
  }

  /** The next task; null at the end, and for the other threads after {@code more} has failed. */
  synchronized @Nullable Task poll() throws IOException, InterruptedException {
    askForMore();
    Task next = known.poll();
    if (next != null) {
      next.split().claim();
      claimed.add(next.split());
    }
    return next;
  }

  /** No thread reads any more. */
  @Override
  public synchronized void close() throws IOException {
    for (Split split : claimed) {
      split.release();
    }
    claimed.clear();
  }

  /** Whether nothing is left to do, which may have to be waited for. */
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
