package io.kmodel.indexer.cli;

import com.google.common.collect.ImmutableMap;
import io.kmodel.indexer.build.BuildProgress;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** How a command shows what it does. */
final class Display {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = {"-q", "--quiet"},
      fallbackValue = "true",
      description = "No progress and no report, only warnings and errors.")
  private boolean quiet;

  @SuppressWarnings("NullAway.Init") // picocli fills command
  Display() {}

  boolean quiet() {
    return quiet;
  }

  /** Shows a build; it is the view's progress that the build is to be told. */
  ProgressView build() {
    Log log = Main.logOf(command);
    if (log.isJson() && !quiet) {
      BuildEvents events = new BuildEvents(log);
      return events.view(new BuildProgress(events));
    }
    return ProgressView.of(new BuildProgress(), log, quiet);
  }

  /** Shows work that is called, say, "exporting". */
  TaskView task(String label) {
    return new TaskView(label, Main.logOf(command), ProgressView.isTerminal(), quiet);
  }

  /** What a command has to say of its work at the end, for machines; people read its output. */
  void report(Object result) {
    if (!quiet) {
      Main.logOf(command)
          .event("report", ImmutableMap.of("command", command.qualifiedName(), "result", result));
    }
  }
}
