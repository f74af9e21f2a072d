package io.kmodel.indexer.cli.view;

import com.google.common.collect.ImmutableMap;
import io.kmodel.indexer.cli.base.Log;
import io.kmodel.indexer.indexing.report.BuildProgress;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The views in which a command shows its work. */
public final class Display {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = {"-q", "--quiet"},
      fallbackValue = "true",
      description = "Print no progress and no report, only warnings and errors.")
  private boolean quiet;

  @SuppressWarnings("NullAway.Init") // picocli fills command
  Display() {}

  public boolean quiet() {
    return quiet;
  }

  /** Creates the view of a build, which must report to the view's {@link BuildProgress}. */
  public ProgressView build() {
    Log log = Log.of(command);
    if (log.isJson() && !quiet) {
      BuildEvents events = new BuildEvents(log);
      return events.view(new BuildProgress(events));
    }
    return ProgressView.of(new BuildProgress(), log, quiet);
  }

  /** Creates the view of a task with a label such as "exporting". */
  public TaskView task(String label) {
    return new TaskView(label, Log.of(command), ProgressView.isTerminal(), quiet);
  }

  /** Logs a command's result for machines; people read the command's output. */
  public void report(Object result) {
    if (!quiet) {
      Log.of(command)
          .event("report", ImmutableMap.of("command", command.qualifiedName(), "result", result));
    }
  }
}
