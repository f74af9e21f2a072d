package io.kmodel.indexer.cli;

import io.kmodel.indexer.index.ProgressListener;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * Shows how a piece of work of known length goes on, on standard error: a bar on a terminal, a line
 * every ten seconds elsewhere, nothing where the work is done sooner. Safe for many threads.
 */
final class TaskView implements ProgressListener, AutoCloseable {
  private static final Duration LINE_INTERVAL = Duration.ofSeconds(10);
  private static final int BAR_MILLIS = 200;

  private final String label;
  private final PrintStream err;
  private final boolean terminal;
  private final boolean quiet;
  private final long start = System.nanoTime();
  private long nextLine = start + LINE_INTERVAL.toNanos();
  private @Nullable ProgressBar bar;

  private TaskView(String label, PrintStream err, boolean terminal, boolean quiet) {
    this.label = label;
    this.err = err;
    this.terminal = terminal;
    this.quiet = quiet;
  }

  /** A view of work that is called, say, "exporting". */
  static TaskView of(String label, boolean quiet) {
    return new TaskView(label, System.err, ProgressView.isTerminal(), quiet);
  }

  @Override
  public synchronized void progress(long done, long total) {
    if (quiet) {
      return;
    }
    if (terminal) {
      showBar(done, total);
    } else if (System.nanoTime() >= nextLine) {
      nextLine += LINE_INTERVAL.toNanos();
      err.println(line(label, done, total, (System.nanoTime() - start) * 1e-9));
    }
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

  static String line(String label, long done, long total, double seconds) {
    double share = total == 0 ? 1 : (double) done / total;
    String left =
        share <= 0.01 || done == total
            ? ""
            : String.format(Locale.ROOT, ", about %.0f s left", seconds / share - seconds);
    return String.format(Locale.ROOT, "%.0f s: %s %.0f %%%s", seconds, label, 100 * share, left);
  }

  @Override
  public synchronized void close() {
    ProgressBar shown = bar;
    if (shown != null) {
      shown.close();
    }
  }
}
