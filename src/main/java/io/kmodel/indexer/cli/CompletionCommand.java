package io.kmodel.indexer.cli;

import java.io.PrintWriter;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code indexer completion}. */
@Command(
    name = "completion",
    mixinStandardHelpOptions = true,
    description = "Prints what makes bash or zsh complete commands, options and their values.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  source <(indexer completion)",
      "  indexer completion > /etc/bash_completion.d/indexer"
    })
final class CompletionCommand implements Runnable {
  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli fills spec
  CompletionCommand() {}

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    out.print(AutoComplete.bash(spec.root().name(), Commands.all()));
    out.flush();
  }
}
