package io.kmodel.indexer.index;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;

/** Runs tasks, each with a file of its own, side by side. */
final class FileTasks {
  /** What is done with a file. */
  @FunctionalInterface
  interface Task {
    void run() throws IOException;
  }

  private FileTasks() {}

  /**
   * Returns when all have ended, interrupted or not; fails as one that did, if there is any. One
   * that fails keeps none from being run.
   */
  static void run(Executor executor, Task... tasks) throws IOException {
    List<CompletableFuture<Void>> started = new ArrayList<>();
    try {
      for (Task task : tasks) {
        started.add(CompletableFuture.runAsync(() -> runUnchecked(task), executor));
      }
    } finally {
      join(CompletableFuture.allOf(started.toArray(CompletableFuture[]::new)));
    }
  }

  private static void runUnchecked(Task task) {
    try {
      task.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void join(CompletableFuture<Void> all) throws IOException {
    try {
      all.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof UncheckedIOException io) {
        throw io.getCause();
      }
      if (e.getCause() instanceof RuntimeException runtime) {
        throw runtime;
      }
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw e;
    }
  }
}
