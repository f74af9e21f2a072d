package io.kmodel.indexer.task;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/**
 * A fixed number of named threads. The first failure of a task reaches the caller at once (see
 * {@link #get}). The other threads are interrupted then, and have ended when {@link #close}
 * returns.
 */
public final class Workers implements Executor, AutoCloseable {
  private final ExecutorService executor;

  /** Threads of normal priority. */
  public Workers(String name, int threads) {
    this(threads, named(name, task -> task));
  }

  private Workers(int threads, ThreadFactory kind) {
    this.executor = Executors.newFixedThreadPool(threads, kind);
  }

  /** Threads that yield to the JIT compiler, see {@link Niceness}. */
  public static Workers givingWay(String name, int threads) {
    return new Workers(threads, factoryGivingWay(name));
  }

  /** A factory of such threads. */
  public static ThreadFactory factoryGivingWay(String name) {
    return named(
        name,
        task ->
            () -> {
              Niceness.raise();
              task.run();
            });
  }

  private static ThreadFactory named(String name, UnaryOperator<Runnable> how) {
    AtomicInteger number = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(how.apply(task), name + "-" + number.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  /** Runs a task, which must catch its exceptions: they are not reported. */
  @Override
  public void execute(Runnable task) {
    executor.execute(task);
  }

  public <T> Future<T> submit(Callable<T> task) {
    return executor.submit(task);
  }

  /** Runs all tasks and returns their results in the order of the tasks. */
  public <T> List<T> runAll(List<? extends Callable<T>> tasks)
      throws IOException, InterruptedException {
    CompletionService<T> completion = new ExecutorCompletionService<>(executor);
    List<Future<T>> futures = new ArrayList<>();
    for (Callable<T> task : tasks) {
      futures.add(completion.submit(task));
    }
    for (int ended = 0; ended < futures.size(); ended++) {
      try {
        get(completion.take());
      } catch (IOException | RuntimeException | Error e) {
        executor.shutdownNow();
        throw e;
      }
    }
    List<T> results = new ArrayList<>();
    for (Future<T> future : futures) {
      results.add(future.resultNow());
    }
    return results;
  }

  /** Waits for a task; throws what it throws (see {@link TaskFailure#rethrow}). */
  public static <T> T get(Future<T> future) throws IOException, InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw TaskFailure.rethrow(TaskFailure.cause(e));
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
    executor.close();
  }
}
