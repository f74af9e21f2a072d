package io.kmodel.indexer.experiment;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A program that runs to its end, or to that of the thread's patience that waits for it: where that
 * is interrupted, or fails, the program is told to stop, has {@value #STOPPING_SECONDS} seconds for
 * it, and is killed then with all that it has started. Memory: what the program prints.
 */
final class Child {
  /** Less than a command has that is told to stop itself; builds take less. */
  static final int STOPPING_SECONDS = 10;

  /** How our program's lines of errors begin. */
  private static final String SPEAKER = "indexer: ";

  /** Starts the line in which Java names the options of JAVA_TOOL_OPTIONS. */
  private static final String OPTIONS_FROM = "Picked up ";

  /** Of a program that is not ours. */
  private static final int MOST_LINES = 10;

  /**
   * How a program has ended.
   *
   * @param exit its exit code
   * @param output all that it has printed
   * @param errors the same on standard error
   */
  record End(int exit, String output, String errors) {
    /** The lines of a program that has gone on. */
    String warnings() {
      return errors
          .lines()
          .filter(line -> !line.startsWith(OPTIONS_FROM))
          .map(line -> line + System.lineSeparator())
          .collect(Collectors.joining());
    }

    /**
     * Why it has failed, in words: what our program says of that, or the last lines of one that
     * says nothing, as a Java that does not start. What else Java tells of itself is left out.
     */
    IOException failure(String name) {
      List<String> lines = errors.lines().filter(line -> !line.isBlank()).toList();
      List<String> ours =
          lines.stream()
              .filter(line -> line.startsWith(SPEAKER))
              .map(line -> line.substring(SPEAKER.length()))
              .toList();
      List<String> last = lines.subList(Math.max(0, lines.size() - MOST_LINES), lines.size());
      String why = String.join("; ", ours.isEmpty() ? last : ours);
      return new IOException(
          "%s failed with exit code %d: %s"
              .formatted(name, exit, why.isEmpty() ? "it said nothing of why" : why));
    }
  }

  private Child() {}

  /**
   * Runs a program.
   *
   * @param program with what it prints left to us
   * @throws IOException if it cannot be started, or its output not be read
   * @throws InterruptedException if the thread is interrupted; the program has ended then
   */
  static End run(ProcessBuilder program) throws IOException, InterruptedException {
    Process process = program.start();
    try {
      FutureTask<byte[]> output = reading(process.getInputStream(), "output of " + process.pid());
      FutureTask<byte[]> errors = reading(process.getErrorStream(), "errors of " + process.pid());
      byte[] printed = output.get();
      byte[] told = errors.get();
      return new End(
          process.waitFor(),
          new String(printed, StandardCharsets.UTF_8),
          new String(told, StandardCharsets.UTF_8));
    } catch (ExecutionException e) {
      throw new IOException("what a program prints cannot be read: " + e.getCause(), e);
    } finally {
      end(process);
    }
  }

  /** Reading does not end when its thread is interrupted, but when the program does. */
  private static FutureTask<byte[]> reading(InputStream stream, String name) {
    FutureTask<byte[]> bytes = new FutureTask<>(stream::readAllBytes);
    Thread.ofPlatform().daemon().name(name).start(bytes);
    return bytes;
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
