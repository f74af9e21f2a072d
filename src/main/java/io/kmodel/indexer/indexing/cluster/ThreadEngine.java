package io.kmodel.indexer.indexing.cluster;

import io.kmodel.indexer.task.Workers;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;

/** Runs tasks in threads of this process, each once. */
public final class ThreadEngine implements TaskEngine {
  private final int threads;

  /** Runs so many tasks at a time. */
  public ThreadEngine(int threads) {
    this.threads = threads;
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
                            String result = Tasks.run(task, threads);
                            synchronized (turn) {
                              results.accept(result);
                            }
                            return true;
                          })
              .toList());
    }
  }
}
