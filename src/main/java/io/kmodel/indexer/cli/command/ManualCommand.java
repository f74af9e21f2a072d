package io.kmodel.indexer.cli.command;

import io.kmodel.indexer.cli.view.ManualPage;
import io.kmodel.indexer.cli.view.OptionsGuide;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
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

  @Option(
      names = "--markdown",
      fallbackValue = "true",
      description = "Print the guide to all options in Markdown instead.")
  private boolean markdown;

  @SuppressWarnings("NullAway.Init") // picocli fills spec
  ManualCommand() {}

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    out.print(markdown ? OptionsGuide.of(Commands.all()) : ManualPage.of(Commands.all()));
    out.flush();
  }
}
