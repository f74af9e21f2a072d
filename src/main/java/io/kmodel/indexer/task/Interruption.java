package io.kmodel.indexer.task;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;

/** Handling of thread interruption beyond what channels do themselves. */
public final class Interruption {
  private Interruption() {}

  /** A short task that reads or writes. */
  @FunctionalInterface
  public interface Task<T> {
    T run() throws IOException;
  }

  /**
   * Checks whether the thread was interrupted.
   *
   * @throws ClosedByInterruptException if it was; the thread stays interrupted
   */
  public static void requireNone() throws ClosedByInterruptException {
    if (Thread.currentThread().isInterrupted()) {
      throw new ClosedByInterruptException();
    }
  }

  /** Runs a task to completion, restarting it if interrupted; the thread then stays interrupted. */
  public static <T> T defer(Task<T> task) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try {
          return task.run();
        } catch (ClosedByInterruptException e) {
          interrupted |= Thread.interrupted();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
