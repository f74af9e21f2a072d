package io.kmodel.indexer.store;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;

/** What is done about threads that are told to stop, beside what channels do by themselves. */
public final class Interruption {
  private Interruption() {}

  /** Something short that reads or writes. */
  @FunctionalInterface
  interface Task<T> {
    T run() throws IOException;
  }

  /**
   * Looks whether the thread is to stop.
   *
   * @throws ClosedByInterruptException if it is; it stays interrupted
   */
  public static void requireNone() throws ClosedByInterruptException {
    if (Thread.currentThread().isInterrupted()) {
      throw new ClosedByInterruptException();
    }
  }

  /** Does something all the same, from its start where it was interrupted; the thread stays so. */
  static <T> T defer(Task<T> task) throws IOException {
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
