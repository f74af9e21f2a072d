package io.kmodel.indexer.indexing.order;

import io.kmodel.indexer.task.Workers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Runs a loop in slices, one per thread, or in the calling thread. */
final class Team {
  /** Shorter loops are not worth a task. */
  private static final int LEAST_SLICE = 1 << 10;

  /** The calling thread alone. */
  static final Team ALONE = new Team(null, 1);

  private final @Nullable Workers workers;
  private final int threads;

  /**
   * Creates a team.
   *
   * @param workers threads that do nothing else meanwhile; null for the calling thread
   */
  Team(@Nullable Workers workers, int threads) {
    this.workers = workers;
    this.threads = threads;
  }

  /** A part of a loop. */
  @FunctionalInterface
  interface Slice {
    /** Runs a slice; the slices of a loop have numbers from 0. */
    void run(int slice, int from, int to) throws IOException;
  }

  /** The number of slices of a loop. */
  int slices(int count) {
    return workers == null ? 1 : Math.clamp(count / LEAST_SLICE, 1, threads);
  }

  /** Runs all slices of a loop and returns when they have ended. */
  void each(int count, Slice task) throws IOException, InterruptedException {
    each(count, slices(count), task);
  }

  /** The same with a given number of slices. */
  void each(int count, int slices, Slice task) throws IOException, InterruptedException {
    Workers others = workers;
    if (others == null || slices == 1) {
      for (int slice = 0; slice < slices; slice++) {
        task.run(slice, bound(count, slice, slices), bound(count, slice + 1, slices));
      }
      return;
    }
    List<Callable<Boolean>> tasks = new ArrayList<>();
    for (int i = 0; i < slices; i++) {
      int slice = i;
      tasks.add(
          () -> {
            task.run(slice, bound(count, slice, slices), bound(count, slice + 1, slices));
            return true;
          });
    }
    others.runAll(tasks);
  }

  private static int bound(int count, int slice, int slices) {
    return (int) ((long) count * slice / slices);
  }
}
