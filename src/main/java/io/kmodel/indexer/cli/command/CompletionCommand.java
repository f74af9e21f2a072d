package io.kmodel.indexer.cli.command;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.regex.Pattern;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code indexer completion}. */
@Command(
    name = "completion",
    mixinStandardHelpOptions = true,
    description = "Print a completion script for bash or zsh.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  source <(indexer completion)",
      "  indexer completion > /etc/bash_completion.d/indexer"
    })
public final class CompletionCommand implements Runnable {
  /** The values of an option in picocli's script: {@code STYLE_option_args=("TEXT" "JSON")}. */
  private static final Pattern VALUES = Pattern.compile("(?<=_option_args=)\\(.*\\)");

  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli fills spec
  CompletionCommand() {}

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    out.print(script(spec.root().name()));
    out.flush();
  }

  /** Returns the script with option values in lower case, as in the help: bash matches case. */
  public static String script(String program) {
    return VALUES
        .matcher(AutoComplete.bash(program, Commands.all()))
        .replaceAll(list -> list.group().toLowerCase(Locale.ROOT));
  }
}
