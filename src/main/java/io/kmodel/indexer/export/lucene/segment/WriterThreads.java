package io.kmodel.indexer.export.lucene.segment;

import io.kmodel.indexer.task.TaskFailure;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;

/**
 * Runs tasks in a number of threads, started in order, and returns when all have ended. The first
 * failure is thrown once running tasks have ended, with further failures suppressed in it. Tasks
 * not yet started are skipped.
 */
public final class WriterThreads {
  /** A task to run. */
  public interface Task {
    void run() throws IOException;
  }

  private WriterThreads() {}

  public static void run(int threads, List<? extends Task> tasks) throws IOException {
    run(threads, Executors.defaultThreadFactory(), tasks);
  }

  /** The same with threads from a factory. */
  static void run(int threads, ThreadFactory kind, List<? extends Task> tasks) throws IOException {
    Queue<Task> queue = new ConcurrentLinkedQueue<>(tasks);
    int workers = Math.min(threads, tasks.size());
    if (workers == 0) {
      return;
    }
    try (ExecutorService executor = Executors.newFixedThreadPool(workers, kind)) {
      List<Future<?>> ends = new ArrayList<>();
      for (int i = 0; i < workers; i++) {
        ends.add(
            executor.submit(
                () -> {
                  drain(queue);
                  return null;
                }));
      }
      await(ends);
    }
  }

  private static void drain(Queue<Task> queue) throws IOException {
    for (Task task; (task = queue.poll()) != null; ) {
      try {
        task.run();
      } catch (IOException | RuntimeException | Error e) {
        queue.clear();
        throw e;
      }
    }
  }

  private static void await(List<Future<?>> workers) throws IOException {
    Throwable failure = null;
    for (Future<?> worker : workers) {
      try {
        worker.get();
      } catch (ExecutionException e) {
        Throwable cause = TaskFailure.cause(e);
        if (failure == null) {
          failure = cause;
        } else if (cause != failure) {
          failure.addSuppressed(cause);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while an index was written");
      }
    }
    if (failure != null) {
      throw TaskFailure.rethrow(failure);
    }
  }
}
