package io.kmodel.indexer.experiment;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Runs a program to its end. If the waiting thread is interrupted or fails, the program is asked to
 * stop, and after {@value #STOPPING_SECONDS} seconds it is killed together with its descendants.
 * Memory: the program's output.
 */
public final class Child {
  /** Less than a command that is told to stop has itself; builds take less. */
  static final int STOPPING_SECONDS = 10;

  /** Prefix of error lines printed by this program. */
  private static final String SPEAKER = "indexer: ";

  /** Starts the line in which Java names the options of JAVA_TOOL_OPTIONS. */
  private static final String OPTIONS_FROM = "Picked up ";

  /** Number of error lines shown for other programs. */
  private static final int MOST_LINES = 10;

  /**
   * How a program ended.
   *
   * @param exit its exit code
   * @param output its standard output
   * @param errors its standard error
   */
  public record End(int exit, String output, String errors) {
    /** The error lines of a program that succeeded. */
    public String warnings() {
      return errors
          .lines()
          .filter(line -> !line.startsWith(OPTIONS_FROM))
          .map(line -> line + System.lineSeparator())
          .collect(Collectors.joining());
    }

    /**
     * Describes why the program failed: this program's own error lines, or else the last lines,
     * such as those of a Java that fails to start. Java's other messages are left out.
     */
    public IOException failure(String name) {
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
              .formatted(name, exit, why.isEmpty() ? "no error message" : why));
    }
  }

  private Child() {}

  /**
   * Runs a program.
   *
   * @param program its output streams must not be redirected
   * @throws IOException if it cannot be started or its output cannot be read
   * @throws InterruptedException if the thread is interrupted; the program has ended then
   */
  public static End run(ProcessBuilder program) throws IOException, InterruptedException {
    return run(program, started -> {});
  }

  /**
   * The same.
   *
   * @param watcher receives the process when it has started
   */
  public static End run(ProcessBuilder program, Consumer<Process> watcher)
      throws IOException, InterruptedException {
    Process process = program.start();
    try {
      watcher.accept(process);
      FutureTask<byte[]> output = reading(process.getInputStream(), "output of " + process.pid());
      FutureTask<byte[]> errors = reading(process.getErrorStream(), "errors of " + process.pid());
      byte[] printed = output.get();
      byte[] told = errors.get();
      return new End(
          process.waitFor(),
          new String(printed, StandardCharsets.UTF_8),
          new String(told, StandardCharsets.UTF_8));
    } catch (ExecutionException e) {
      throw new IOException("cannot read the program's output: " + e.getCause(), e);
    } finally {
      end(process);
    }
  }

  /** Starts a reader thread: reading ends with the program, not when a thread is interrupted. */
  private static FutureTask<byte[]> reading(InputStream stream, String name) {
    FutureTask<byte[]> bytes = new FutureTask<>(stream::readAllBytes);
    Thread.ofPlatform().daemon().name(name).start(bytes);
    return bytes;
  }

  /** Stops the process if it has not ended. */
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
