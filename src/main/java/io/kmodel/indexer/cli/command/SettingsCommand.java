package io.kmodel.indexer.cli.command;

import io.kmodel.indexer.cli.option.SettingsText;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code indexer settings}. */
@Command(
    name = "settings",
    mixinStandardHelpOptions = true,
    description =
        "Print a settings file for --config: every option with its default, commented out.",
    footerHeading = "%nExample:%n",
    footer = {
      "  indexer settings > my.properties",
      "  indexer build crawl --output index --config my.properties"
    })
final class SettingsCommand implements Runnable {
  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli fills spec
  SettingsCommand() {}

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    // A fresh program, so that no settings apply.
    out.print(SettingsText.of(Commands.all()));
    out.flush();
  }
}
