package io.kmodel.indexer.cli;

import io.kmodel.indexer.build.Recovery;
import io.kmodel.indexer.build.Recovery.Start;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The options that say what becomes of a build that is interrupted. */
final class RecoveryArguments {
  @Option(
      names = "--resume",
      fallbackValue = "true",
      description = {
        "Go on where a build of the same documents with the same options was interrupted; what it had finished is"
            + " checked first. Without one, begin."
      })
  private boolean resume;

  @Option(
      names = "--restart",
      fallbackValue = "true",
      description = "Drop what an interrupted build has finished, and begin.")
  private boolean restart;

  @Option(
      names = "--seal-every",
      paramLabel = "SECONDS",
      defaultValue = "30",
      description =
          "How often finished work is forced to the disk, to be gone on with after a crash"
              + " (default: ${DEFAULT-VALUE}).")
  private int sealSeconds;

  @SuppressWarnings("NullAway.Init") // picocli fills the options
  RecoveryArguments() {}

  /**
   * Looks whether they can be followed.
   *
   * @throws IllegalArgumentException if not
   */
  void require() {
    if (resume && restart) {
      throw new IllegalArgumentException("--resume and --restart exclude each other");
    }
    if (sealSeconds < 0) {
      throw new IllegalArgumentException("--seal-every must not be negative; got " + sealSeconds);
    }
  }

  /**
   * What to do.
   *
   * @param log is told what the user should know while the build goes on
   * @param quiet whether that is warnings only
   */
  Recovery toRecovery(Log log, boolean quiet) {
    require();
    Start start = resume ? Start.RESUME : restart ? Start.RESTART : Start.ANEW;
    return new Recovery(
        start, Duration.ofSeconds(sealSeconds), quiet ? notice -> {} : log::note, log::warning);
  }
}
