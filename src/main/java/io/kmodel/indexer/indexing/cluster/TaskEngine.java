package io.kmodel.indexer.indexing.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs the tasks of a build in threads or on a cluster. A task is a text that {@link Tasks#run}
 * turns into another text, its result. An engine may run a task several times, even at the same
 * time, but passes on the result of one attempt only.
 */
public interface TaskEngine {
  /** Gets the results of tasks. */
  @FunctionalInterface
  interface Results {
    /**
     * A task has a result.
     *
     * @throws IOException to end the stage
     */
    void accept(String result) throws IOException;
  }

  /** How many tasks run at a time, about; at least 1. */
  int slots();

  /** A directory for copies on the disk of the driver. */
  Path scratch();

  /**
   * Runs all tasks, and returns when each has a result.
   *
   * @param stage names their work, for displays
   * @param results gets the result of each task in any order, in one thread at a time
   * @throws IOException if a task failed too often, or the cluster did
   */
  void run(String stage, List<String> tasks, Results results)
      throws IOException, InterruptedException;
}
