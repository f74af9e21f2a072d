package io.kmodel.indexer.indexing.cluster;

import io.kmodel.indexer.task.Workers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

/** Runs tasks in threads of this process, each once. */
public final class ThreadEngine implements TaskEngine {
  private final int threads;
  private final Path scratch;

  /**
   * Runs so many tasks at a time.
   *
   * @param scratch for copies, if the work of the build is in a store of files
   */
  public ThreadEngine(int threads, Path scratch) {
    this.threads = threads;
    this.scratch = scratch;
  }

  @Override
  public Path scratch() {
    return scratch;
  }

  @Override
  public int slots() {
    return threads;
  }

  @Override
  public void run(String stage, List<String> tasks, Results results)
      throws IOException, InterruptedException {
    Object turn = new Object();
    try (Workers workers = Workers.givingWay(stage, threads)) {
      workers.runAll(
          tasks.stream()
              .map(
                  task ->
                      (Callable<Boolean>)
                          () -> {
                            String result = Tasks.run(task, threads, scratch);
                            synchronized (turn) {
                              results.accept(result);
                            }
                            return true;
                          })
              .toList());
    }
  }
}
