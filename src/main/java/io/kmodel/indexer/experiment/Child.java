package io.kmodel.indexer.experiment;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/**
 * A program that runs to its end, or to that of the thread's patience that waits for it: where that
 * is interrupted, or fails, the program is told to stop, has {@value #STOPPING_SECONDS} seconds for
 * it, and is killed then with all that it has started. Memory: what the program prints.
 */
final class Child {
  /** Less than a command has that is told to stop itself; builds take less. */
  static final int STOPPING_SECONDS = 10;

  /**
   * How a program has ended.
   *
   * @param exit its exit code
   * @param output all that it has printed
   */
  record End(int exit, String output) {}

  private Child() {}

  /**
   * Runs a program.
   *
   * @param program with its standard output left to us
   * @throws IOException if it cannot be started, or its output not be read
   * @throws InterruptedException if the thread is interrupted; the program has ended then
   */
  static End run(ProcessBuilder program) throws IOException, InterruptedException {
    Process process = program.start();
    try {
      FutureTask<byte[]> output = new FutureTask<>(process.getInputStream()::readAllBytes);
      // Reading does not end when its thread is interrupted, but when the program does.
      Thread.ofPlatform().daemon().name("output of " + process.pid()).start(output);
      byte[] printed = output.get();
      return new End(process.waitFor(), new String(printed, StandardCharsets.UTF_8));
    } catch (ExecutionException e) {
      throw new IOException("what a program prints cannot be read: " + e.getCause(), e);
    } finally {
      end(process);
    }
  }

  /** Does nothing where it has ended. */
  private static void end(Process process) {
    boolean interrupted = false;
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(STOPPING_SECONDS);
    process.destroy();
    while (process.isAlive()) {
      long left = deadline - System.nanoTime();
      try {
        if (left > 0) {
          process.waitFor(left, TimeUnit.NANOSECONDS);
        } else {
          process.descendants().forEach(ProcessHandle::destroyForcibly);
          process.destroyForcibly().waitFor();
        }
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
