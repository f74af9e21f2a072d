package io.kmodel.indexer.cli;

import io.kmodel.indexer.build.BuildProgress;
import picocli.CommandLine.Option;

/** How a command shows what it does. */
final class Display {
  @Option(
      names = {"-q", "--quiet"},
      fallbackValue = "true",
      description = "No progress and no report, only errors.")
  private boolean quiet;

  boolean quiet() {
    return quiet;
  }

  /** Shows a build. */
  ProgressView build(BuildProgress progress) {
    return ProgressView.of(progress, quiet);
  }

  /** Shows work that is called, say, "exporting". */
  TaskView task(String label) {
    return TaskView.of(label, quiet);
  }
}
