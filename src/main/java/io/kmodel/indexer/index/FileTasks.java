package io.kmodel.indexer.index;

import com.google.common.base.Throwables;
import com.google.common.util.concurrent.Uninterruptibles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/** Runs tasks concurrently, each on its own file. */
final class FileTasks {
  /** Work on one file. */
  @FunctionalInterface
  interface Task {
    void run() throws IOException;
  }

  private FileTasks() {}

  /**
   * Returns when all tasks have ended, even if interrupted, and throws the first failure if there
   * is one. A failing task does not stop the others.
   */
  static void run(Executor executor, Task... tasks) throws IOException {
    List<FutureTask<@Nullable Void>> started = new ArrayList<>();
    try {
      for (Task task : tasks) {
        FutureTask<@Nullable Void> future =
            new FutureTask<>(
                () -> {
                  task.run();
                  return null;
                });
        executor.execute(future);
        started.add(future);
      }
    } finally {
      join(started);
    }
  }

  private static void join(List<FutureTask<@Nullable Void>> tasks) throws IOException {
    Throwable failure = null;
    for (FutureTask<@Nullable Void> task : tasks) {
      try {
        Uninterruptibles.getUninterruptibly(task);
      } catch (ExecutionException e) {
        failure = failure == null ? e.getCause() : failure;
      }
    }
    if (failure != null) {
      Throwables.throwIfInstanceOf(failure, IOException.class);
      Throwables.throwIfUnchecked(failure);
    }
  }
}
