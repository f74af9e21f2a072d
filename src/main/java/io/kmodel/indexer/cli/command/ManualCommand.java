package io.kmodel.indexer.cli.command;

import io.kmodel.indexer.cli.view.ManualPage;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code indexer manual}. */
@Command(
    name = "manual",
    mixinStandardHelpOptions = true,
    description = "Print the manual page of all commands, for man.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  indexer manual | man -l -",
      "  indexer manual > /usr/local/share/man/man1/indexer.1"
    })
final class ManualCommand implements Runnable {
  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli fills spec
  ManualCommand() {}

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    out.print(ManualPage.of(Commands.all()));
    out.flush();
  }
}
