package io.kmodel.indexer.cli.option;

import io.kmodel.indexer.cli.base.Log;
import io.kmodel.indexer.indexing.options.Recovery;
import io.kmodel.indexer.indexing.options.Recovery.Start;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The options for interrupted builds. */
public final class RecoveryArguments {
  @Option(
      names = "--resume",
      fallbackValue = "true",
      description = {
        "Continue an interrupted build of the same documents with the same options, after checking"
            + " its finished work. If the build is complete, check that and its input. If no build"
            + " was interrupted, start a new one."
      })
  private boolean resume;

  @Option(
      names = "--restart",
      fallbackValue = "true",
      description = "Discard what an interrupted build has finished and start a new build.")
  private boolean restart;

  @Option(
      names = "--seal-every",
      paramLabel = "SECONDS",
      defaultValue = "30",
      description =
          "Force finished work to disk every SECONDS, so that a build can resume after a crash"
              + " (default: ${DEFAULT-VALUE}).")
  private int sealSeconds;

  @SuppressWarnings("NullAway.Init") // picocli fills the options
  RecoveryArguments() {}

  /**
   * Checks that the options are valid together.
   *
   * @throws IllegalArgumentException if not
   */
  public void require() {
    if (resume && restart) {
      throw new IllegalArgumentException("--resume and --restart cannot be combined");
    }
    if (sealSeconds < 0) {
      throw new IllegalArgumentException("--seal-every must not be negative; got " + sealSeconds);
    }
  }

  /** Whether finished work is to be used. */
  public boolean resumes() {
    return resume;
  }

  /**
   * Returns what to do with an interrupted build.
   *
   * @param log receives messages for the user during the build
   * @param quiet whether to log only warnings
   */
  public Recovery toRecovery(Log log, boolean quiet) {
    require();
    Start start = resume ? Start.RESUME : restart ? Start.RESTART : Start.FRESH;
    return new Recovery(
        start, Duration.ofSeconds(sealSeconds), quiet ? notice -> {} : log::note, log::warning);
  }
}
