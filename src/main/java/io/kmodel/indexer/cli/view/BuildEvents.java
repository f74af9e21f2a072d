package io.kmodel.indexer.cli.view;

import com.google.common.collect.ImmutableMap;
import io.kmodel.indexer.cli.base.Log;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildProgress.Stage;
import io.kmodel.indexer.source.Location;
import io.kmodel.indexer.source.SkipReason;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes a build as events of a {@link Log}: {@code stage} when a stage begins or ends, and {@code
 * progress} every second. There is a {@code skipped} event for everything listed as skipped or kept
 * in part, and a {@code noted} event for everything listed although none of it is missing. If a
 * split is read again, these two are repeated. Thread-safe.
 */
final class BuildEvents implements BuildProgress.Listener {
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  private final Log log;
  private @Nullable Stage stage;
  private long stageStart;

  BuildEvents(Log log) {
    this.log = log;
  }

  @Override
  public synchronized void entered(Stage next) {
    end();
    stage = next == Stage.DONE ? null : next;
    stageStart = System.nanoTime();
    if (stage != null) {
      log.event("stage", ImmutableMap.of("stage", next.label(), "state", "begin"));
    }
  }

  private void end() {
    if (stage != null) {
      Map<String, Object> members = new LinkedHashMap<>();
      members.put("stage", stage.label());
      members.put("state", "end");
      members.put("seconds", rounded((System.nanoTime() - stageStart) / 1e9));
      log.event("stage", members);
    }
  }

  @Override
  public void skipped(Location place, SkipReason reason, String detail) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("reason", reason.label());
    members.put("file", place.file());
    if (place.offset() >= 0) {
      members.put("offset", place.offset());
    }
    if (!place.document().isEmpty()) {
      members.put("document", place.document());
    }
    members.put("detail", detail);
    log.event(reason.kind() == SkipReason.Kind.NOTED ? "noted" : "skipped", members);
  }

  /** Returns the view of a build that reports to this listener. */
  ProgressView view(BuildProgress progress) {
    return new ProgressView(progress, INTERVAL) {
      @Override
      public void start() {
        entered(progress.stage());
        super.start();
      }

      @Override
      public void close() {
        super.close();
        entered(Stage.DONE);
      }

      @Override
      void show() {
        log.event("progress", members(progress, seconds()));
      }
    };
  }

  static Map<String, Object> members(BuildProgress progress, double seconds) {
    Stage stage = progress.stage();
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("stage", stage.label());
    members.put("seconds", rounded(seconds));
    if (ProgressView.isMeasured(stage, progress)) {
      members.put("share", rounded(progress.share()));
    }
    if (progress.secondsLeft() >= 0) {
      members.put("secondsLeft", rounded(progress.secondsLeft()));
    }
    if (stage == Stage.RECEIVE) {
      members.put("received", progress.receivedBytes());
    }
    members.put("documents", progress.documents());
    members.put("bytes", progress.bytes());
    if (stage == Stage.PARSE) {
      members.put("bytesPerSecond", Math.round(ProgressView.bytesPerSecond(progress)));
    }
    members.put("runs", progress.runs());
    if (!progress.serverFailure().isEmpty()) {
      members.put("server", progress.serverFailure());
    }
    return members;
  }

  private static double rounded(double value) {
    return Math.round(value * 1e3) / 1e3;
  }
}
