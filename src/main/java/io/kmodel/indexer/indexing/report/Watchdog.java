package io.kmodel.indexer.indexing.report;

import com.google.common.util.concurrent.Uninterruptibles;
import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Warns if a build makes no progress for a while: which server does not answer, or what each thread
 * is doing, and which threads wait for which. It warns once per stall and changes nothing, because
 * a build may have reasons to take its time.
 */
public final class Watchdog implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static final String OURS = "io.kmodel.indexer.";
  private static final int FRAMES = 12;
  private static final int LOOKS_PER_LIMIT = 10;

  private final LongSupplier pulse;
  private final Supplier<String> server;
  private final Duration limit;
  private final Consumer<String> warnings;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread thread = new Thread(this::watch, "stall-watch");

  /**
   * A watch.
   *
   * @param pulse a number that changes whenever anything is done
   * @param server the server that does not answer, and why; empty if all do
   * @param warnings gets the message, in several lines
   */
  Watchdog(LongSupplier pulse, Supplier<String> server, Duration limit, Consumer<String> warnings) {
    this.pulse = pulse;
    this.server = server;
    this.limit = limit;
    this.warnings = warnings;
    thread.setDaemon(true);
  }

  /** Watches a build until it is closed. */
  public static Watchdog start(BuildProgress progress, Consumer<String> warnings) {
    Watchdog watch = new Watchdog(progress::pulse, progress::serverFailure, LIMIT, warnings);
    watch.start();
    return watch;
  }

  void start() {
    thread.start();
  }

  private void watch() {
    long last = pulse.getAsLong();
    long since = System.nanoTime();
    boolean told = false;
    try {
      while (!ended.await(limit.toMillis() / LOOKS_PER_LIMIT + 1, TimeUnit.MILLISECONDS)) {
        long now = pulse.getAsLong();
        if (now != last) {
          last = now;
          since = System.nanoTime();
          told = false;
        } else if (!told && System.nanoTime() - since >= limit.toNanos()) {
          told = true;
          warnings.accept(describe());
        }
      }
    } catch (InterruptedException e) {
      // Ends the watch, too.
    }
  }

  private String describe() {
    String stalled =
        String.format(Locale.ROOT, "no progress for %.0f s; ", limit.toMillis() / 1000.0);
    String failure = server.get();
    return stalled
        + (failure.isEmpty() ? "busy or waiting threads:\n" + threads() : "waiting for " + failure);
  }

  private static String threads() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    List<String> lines = new ArrayList<>();
    for (ThreadInfo info : threads.dumpAllThreads(true, true, FRAMES)) {
      if (info.getThreadId() != Thread.currentThread().threadId() && isOurs(info)) {
        lines.add("  " + describe(info));
      }
    }
    long[] deadlocked = threads.findDeadlockedThreads();
    if (deadlocked != null) {
      List<String> names = new ArrayList<>();
      for (ThreadInfo info : threads.getThreadInfo(deadlocked)) {
        names.add(info.getThreadName());
      }
      lines.add("  deadlock between: " + String.join(", ", names));
    }
    return String.join("\n", lines);
  }

  private static boolean isOurs(ThreadInfo info) {
    for (StackTraceElement frame : info.getStackTrace()) {
      if (frame.getClassName().startsWith(OURS)) {
        return true;
      }
    }
    return false;
  }

  private static String describe(ThreadInfo info) {
    StringBuilder line = new StringBuilder();
    line.append(info.getThreadName()).append(" is ");
    line.append(info.getThreadState().toString().toLowerCase(Locale.ROOT).replace('_', ' '));
    LockInfo lock = info.getLockInfo();
    if (lock != null) {
      line.append(" for ").append(lock);
      String owner = info.getLockOwnerName();
      line.append(owner == null ? "" : ", which " + owner + " holds");
    }
    line.append(", in");
    StackTraceElement[] frames = info.getStackTrace();
    boolean ours = false;
    for (int i = 0; i < frames.length && !ours; i++) {
      ours = frames[i].getClassName().startsWith(OURS);
      line.append(i == 0 ? " " : " < ").append(frames[i]);
    }
    return line.toString();
  }

  /** Ends the watch without waiting for its thread. */
  public void end() {
    ended.countDown();
  }

  @Override
  public void close() {
    end();
    Uninterruptibles.joinUninterruptibly(thread);
  }
}
