package io.kmodel.indexer.cli.view;

import com.google.common.collect.ImmutableMap;
import io.kmodel.indexer.cli.base.Log;
import io.kmodel.indexer.index.model.ProgressListener;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Shows the progress of a task of known length on standard error: a status line on a terminal,
 * otherwise a line every ten seconds, or events. The events are {@code stage} at its begin and end
 * and {@code progress} every second. Thread-safe.
 */
public final class TaskView implements ProgressListener, AutoCloseable {
  private static final Duration LINE_INTERVAL = Duration.ofSeconds(10);
  private static final Duration EVENT_INTERVAL = Duration.ofSeconds(1);

  private final String label;
  private final Log log;
  private final boolean quiet;
  private final boolean showsStatus;
  private final Duration interval;
  private final long start = System.nanoTime();
  private long nextShown;

  TaskView(String label, Log log, boolean terminal, boolean quiet) {
    this.label = label;
    this.log = log;
    this.quiet = quiet;
    this.showsStatus = terminal && !quiet && !log.isJson();
    this.interval =
        showsStatus ? ProgressView.STATUS_INTERVAL : log.isJson() ? EVENT_INTERVAL : LINE_INTERVAL;
    this.nextShown = start + interval.toNanos();
    if (!quiet) {
      log.event("stage", ImmutableMap.of("stage", label, "state", "begin"));
    }
  }

  @Override
  public synchronized void progress(long done, long total) {
    if (quiet) {
      return;
    }
    long now = System.nanoTime();
    if (now < nextShown) {
      return;
    }
    nextShown = now + interval.toNanos();
    if (showsStatus) {
      log.status(line(label, done, total, seconds()));
    } else {
      log.line(line(label, done, total, seconds()));
      log.event("progress", members(label, done, total, seconds()));
    }
  }

  private double seconds() {
    return (System.nanoTime() - start) * 1e-9;
  }

  /** Returns a line with the share done, the speed and the time left. */
  static String line(String label, long done, long total, double seconds) {
    double share = share(done, total);
    StringBuilder line = new StringBuilder();
    line.append(String.format(Locale.ROOT, "%.0f s: %s %.0f %%", seconds, label, 100 * share));
    if (share > 0.01 && done < total) {
      line.append(
          String.format(
              Locale.ROOT,
              ", %.2f %% a second, about %.0f s left",
              100 * share / Math.max(seconds, 1e-3),
              seconds / share - seconds));
    }
    return line.toString();
  }

  static Map<String, Object> members(String label, long done, long total, double seconds) {
    double share = share(done, total);
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("stage", label);
    members.put("seconds", Math.round(seconds * 1e3) / 1e3);
    members.put("share", Math.round(share * 1e3) / 1e3);
    if (share > 0.01) {
      members.put("secondsLeft", Math.round((seconds / share - seconds) * 1e3) / 1e3);
    }
    return members;
  }

  private static double share(long done, long total) {
    return total == 0 ? 1 : (double) done / total;
  }

  @Override
  public synchronized void close() {
    if (showsStatus) {
      log.status("");
    }
    if (!quiet) {
      log.event(
          "stage",
          ImmutableMap.of(
              "stage", label, "state", "end", "seconds", Math.round(seconds() * 1e3) / 1e3));
    }
  }
}
