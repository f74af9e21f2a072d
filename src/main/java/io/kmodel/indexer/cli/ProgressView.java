package io.kmodel.indexer.cli;

import io.kmodel.indexer.build.BuildProgress;
import io.kmodel.indexer.build.BuildProgress.Stage;
import java.io.Console;
import java.time.Duration;
import java.util.Locale;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * Shows how a build goes on, on standard error: a live bar on a terminal, a line every ten seconds
 * elsewhere. Its own daemon thread looks at the build's counters; the build knows nothing of it.
 */
abstract class ProgressView implements AutoCloseable {
  private static final Duration LINE_INTERVAL = Duration.ofSeconds(10);
  private static final Duration BAR_INTERVAL = Duration.ofMillis(200);

  final BuildProgress progress;
  private final Duration interval;
  private final long startNanos = System.nanoTime();
  private final Thread thread = new Thread(this::watch, "progress");

  private ProgressView(BuildProgress progress, Duration interval) {
    this.progress = progress;
    this.interval = interval;
    thread.setDaemon(true);
  }

  static ProgressView of(BuildProgress progress, boolean quiet) {
    if (quiet) {
      return new Nothing(progress);
    }
    return isTerminal() ? new Bar(progress) : new Lines(progress);
  }

  @SuppressWarnings("SystemConsoleNull") // JDK 25's default console is null off a terminal again
  private static boolean isTerminal() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }

  void start() {
    thread.start();
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  abstract void show();

  private void watch() {
    try {
      while (true) {
        Thread.sleep(interval);
        show();
      }
    } catch (InterruptedException e) {
      // The build has ended, and so does its view.
    }
  }

  double seconds() {
    return (System.nanoTime() - startNanos) / 1e9;
  }

  /** Share of the present stage that is done, 0 to 1. */
  static double share(BuildProgress progress) {
    return progress.stage() == Stage.PARSE
        ? ratio(progress.bytes(), progress.totalBytes())
        : ratio(progress.mergedRanges(), progress.ranges());
  }

  private static double ratio(long part, long whole) {
    return whole == 0 ? 0 : Math.min(1, (double) part / whole);
  }

  private static final class Nothing extends ProgressView {
    Nothing(BuildProgress progress) {
      super(progress, LINE_INTERVAL);
    }

    @Override
    void show() {}
  }

  private static final class Lines extends ProgressView {
    Lines(BuildProgress progress) {
      super(progress, LINE_INTERVAL);
    }

    @Override
    void show() {
      System.err.println(line(progress, seconds()));
    }
  }

  /** One line that says it all. */
  static String line(BuildProgress progress, double seconds) {
    double share = share(progress);
    String eta =
        progress.stage() == Stage.PARSE && share > 0.01
            ? String.format(
                Locale.ROOT, ", about %.0f s of parsing left", seconds / share - seconds)
            : "";
    return String.format(
        Locale.ROOT,
        "%.0f s: %s %.0f %%, %,d documents, %s, %.1f MB/s, %,d runs%s",
        seconds,
        progress.stage().label(),
        100 * share,
        progress.documents(),
        ByteSize.format(progress.bytes()),
        progress.bytes() / 1e6 / Math.max(seconds, 1e-3),
        progress.runs(),
        eta);
  }

  private static final class Bar extends ProgressView {
    private static final long MEGABYTE = 1_000_000;

    private @Nullable ProgressBar bar;
    private @Nullable Stage shown;

    Bar(BuildProgress progress) {
      super(progress, BAR_INTERVAL);
    }

    @Override
    synchronized void show() {
      Stage stage = progress.stage();
      if (stage != shown) {
        endBar();
        shown = stage;
        bar = stage == Stage.PARSE || stage == Stage.MERGE ? newBar(stage) : null;
      }
      ProgressBar current = bar;
      if (current != null && stage == Stage.PARSE) {
        current.maxHint(progress.totalBytes());
        current.stepTo(progress.bytes());
        current.setExtraMessage(
            String.format(
                Locale.ROOT, "%,d documents, %,d runs", progress.documents(), progress.runs()));
      } else if (current != null) {
        current.maxHint(progress.ranges());
        current.stepTo(progress.mergedRanges());
      }
    }

    private static ProgressBar newBar(Stage stage) {
      ProgressBarBuilder builder =
          new ProgressBarBuilder()
              .setTaskName(stage.label())
              .setStyle(ProgressBarStyle.ASCII)
              .setUpdateIntervalMillis((int) BAR_INTERVAL.toMillis());
      if (stage == Stage.PARSE) {
        builder.setUnit(" MB", MEGABYTE).showSpeed();
      }
      return builder.build();
    }

    private void endBar() {
      ProgressBar current = bar;
      if (current != null) {
        current.close();
      }
      bar = null;
    }

    @Override
    public void close() {
      super.close();
      endBar();
    }
  }
}
