package io.kmodel.indexer.cli.view;

import com.google.common.collect.ImmutableMap;
import io.kmodel.indexer.cli.base.Log;
import io.kmodel.indexer.index.model.ProgressListener;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * Shows the progress of a task of known length on standard error: a bar on a terminal, otherwise a
 * line every ten seconds, or events. The events are {@code stage} at its begin and end and {@code
 * progress} every second. Thread-safe.
 */
public final class TaskView implements ProgressListener, AutoCloseable {
  private static final Duration LINE_INTERVAL = Duration.ofSeconds(10);
  private static final Duration EVENT_INTERVAL = Duration.ofSeconds(1);
  private static final int BAR_MILLIS = 200;

  private final String label;
  private final Log log;
  private final boolean terminal;
  private final boolean quiet;
  private final Duration interval;
  private final long start = System.nanoTime();
  private long nextShown;
  private @Nullable ProgressBar bar;

  TaskView(String label, Log log, boolean terminal, boolean quiet) {
    this.label = label;
    this.log = log;
    this.terminal = terminal;
    this.quiet = quiet;
    this.interval = log.isJson() ? EVENT_INTERVAL : LINE_INTERVAL;
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
    if (terminal && !log.isJson()) {
      showBar(done, total);
    } else if (System.nanoTime() >= nextShown) {
      nextShown += interval.toNanos();
      log.line(line(label, done, total, seconds()));
      log.event("progress", members(label, done, total, seconds()));
    }
  }

  private double seconds() {
    return (System.nanoTime() - start) * 1e-9;
  }

  private void showBar(long done, long total) {
    ProgressBar shown = bar;
    if (shown == null) {
      shown =
          new ProgressBarBuilder()
              .setTaskName(label)
              .setStyle(ProgressBarStyle.ASCII)
              .setUpdateIntervalMillis(BAR_MILLIS)
              .setInitialMax(total)
              .build();
      bar = shown;
    }
    shown.stepTo(Math.max(done, shown.getCurrent()));
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
    ProgressBar shown = bar;
    if (shown != null) {
      shown.close();
    }
    if (!quiet) {
      log.event(
          "stage",
          ImmutableMap.of(
              "stage", label, "state", "end", "seconds", Math.round(seconds() * 1e3) / 1e3));
    }
  }
}
