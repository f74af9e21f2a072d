package io.kmodel.indexer.cli.view;

import com.google.common.util.concurrent.Uninterruptibles;
import io.kmodel.indexer.cli.base.ByteSize;
import io.kmodel.indexer.cli.base.Log;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildProgress.Stage;
import java.time.Duration;
import java.util.Formatter;
import java.util.Locale;

/**
 * Shows a build's progress on standard error: a status line on a terminal, otherwise a line every
 * ten seconds, or events (see {@link BuildEvents}). A daemon thread polls the build's counters; the
 * build does not know about the view.
 */
public abstract class ProgressView implements AutoCloseable {
  private static final Duration LINE_INTERVAL = Duration.ofSeconds(10);
  static final Duration STATUS_INTERVAL = Duration.ofMillis(200);

  /** Set by the launcher if standard error is a terminal, which Java cannot detect. */
  private static final String TERMINAL_PROPERTY = "indexer.terminal";

  public final BuildProgress progress;
  private final Duration interval;
  private final long startNanos = System.nanoTime();
  private final Thread thread = new Thread(this::watch, "progress");

  ProgressView(BuildProgress progress, Duration interval) {
    this.progress = progress;
    this.interval = interval;
    thread.setDaemon(true);
  }

  /** Returns a view for people. */
  static ProgressView of(BuildProgress progress, Log log, boolean quiet) {
    if (quiet) {
      return new Nothing(progress);
    }
    return isTerminal() ? new StatusLine(progress, log) : new Lines(progress, log);
  }

  /**
   * Whether standard error can show a status line. Without the launcher, this is false and lines
   * are shown.
   */
  static boolean isTerminal() {
    return Boolean.getBoolean(TERMINAL_PROPERTY) && !"dumb".equals(System.getenv("TERM"));
  }

  public void start() {
    thread.start();
  }

  @Override
  public void close() {
    thread.interrupt();
    Uninterruptibles.joinUninterruptibly(thread); // also after Ctrl-C, so nothing is shown later
  }

  abstract void show();

  private void watch() {
    try {
      while (true) {
        Thread.sleep(interval);
        show();
      }
    } catch (InterruptedException e) {
      // The build has ended, so the thread ends.
    }
  }

  double seconds() {
    return (System.nanoTime() - startNanos) / 1e9;
  }

  private static final class Nothing extends ProgressView {
    Nothing(BuildProgress progress) {
      super(progress, LINE_INTERVAL);
    }

    @Override
    void show() {}
  }

  private static final class Lines extends ProgressView {
    private final Log log;

    Lines(BuildProgress progress, Log log) {
      super(progress, LINE_INTERVAL);
      this.log = log;
    }

    @Override
    void show() {
      log.line(line(progress, seconds()));
    }
  }

  private static final class StatusLine extends ProgressView {
    private final Log log;

    StatusLine(BuildProgress progress, Log log) {
      super(progress, STATUS_INTERVAL);
      this.log = log;
    }

    @Override
    void show() {
      log.status(progress.stage() == Stage.DONE ? "" : line(progress, seconds()));
    }

    @Override
    public void close() {
      super.close();
      log.status("");
    }
  }

  /**
   * Returns one line with all figures. Shares are of the crawl's listed bytes, or of the term
   * ranges to merge. The speed is in decompressed bytes of documents while they are parsed. A
   * server that does not answer is named instead of sizes and speed.
   */
  static String line(BuildProgress progress, double seconds) {
    Stage stage = progress.stage();
    StringBuilder line = new StringBuilder();
    try (Formatter out = new Formatter(line, Locale.ROOT)) {
      out.format("%.0f s: %s", seconds, stage.label());
      if (stage == Stage.RECEIVE) {
        double perSecond = progress.receivedBytes() / Math.max(progress.stageSeconds(), 1e-3);
        return out.format(
                ", %s, %s/s",
                ByteSize.format(progress.receivedBytes()), ByteSize.format((long) perSecond))
            .toString();
      }
      if (isMeasured(stage, progress)) {
        out.format(" %.0f %%", 100 * progress.share());
      }
      if (stage == Stage.MERGE) {
        out.format(", %,d of %,d ranges", progress.mergedRanges(), progress.ranges());
      }
      out.format(", %s", Counted.of(progress.documents(), "document"));
      if (!progress.serverFailure().isEmpty()) {
        return out.format("; %s", progress.serverFailure()).toString();
      }
      out.format(", %s", ByteSize.format(progress.bytes()));
      if (stage == Stage.PARSE) {
        out.format(", %s/s", ByteSize.format((long) bytesPerSecond(progress)));
      }
      out.format(", %s", Counted.of(progress.runs(), "run"));
      if (progress.secondsLeft() >= 0) {
        out.format(", about %.0f s of %s left", progress.secondsLeft(), stage.label());
      }
    }
    return line.toString();
  }

  /** Returns the speed of parsing in bytes of documents. */
  static double bytesPerSecond(BuildProgress progress) {
    return progress.ownBytes() / Math.max(progress.stageSeconds(), 1e-3);
  }

  /** Whether a stage's share is known; that of parsing is not until the crawl is listed. */
  static boolean isMeasured(Stage stage, BuildProgress progress) {
    return switch (stage) {
      case PARSE -> progress.totalBytes() > 0;
      case MERGE -> true;
      case RECEIVE, SCAN, FINISH, DONE -> false;
    };
  }
}
