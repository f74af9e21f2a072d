package io.kmodel.indexer.cli.view;

import com.google.common.base.Splitter;
import java.util.Arrays;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * The manual page of the program in {@code man(7)} format, from the descriptions that {@code
 * --help} shows: one section, with a part for each command that can be run.
 */
public final class ManualPage {
  private static final Splitter LINES = Splitter.on("%n").omitEmptyStrings();

  private final StringBuilder page = new StringBuilder();

  private ManualPage() {}

  public static String of(CommandLine program) {
    ManualPage manual = new ManualPage();
    manual.write(program.getCommandSpec());
    return manual.page.toString();
  }

  private void write(CommandSpec program) {
    String name = program.name();
    UsageMessageSpec usage = program.usageMessage();
    macro(".TH", name.toUpperCase(Locale.ROOT), "1", "", String.join(" ", program.version()));
    macro(".SH", "NAME");
    text(name + " - " + String.join(" ", usage.description()));
    macro(".SH", "SYNOPSIS");
    page.append(".B ").append(escape(name)).append("\n.I COMMAND\n\\&...\n");
    macro(".SH", "OPTIONS");
    program.options().stream()
        .filter(option -> !option.usageHelp() && !option.versionHelp())
        .forEach(this::writeOption);
    macro(".SH", "COMMANDS");
    for (CommandLine command : program.subcommands().values()) {
      writeCommand(command.getCommandSpec());
    }
    examples(usage, ".SH");
  }

  /** Writes a command, or its subcommands. */
  private void writeCommand(CommandSpec command) {
    if (command.usageMessage().hidden()) {
      return;
    }
    if (!command.subcommands().isEmpty()) {
      command.subcommands().values().forEach(c -> writeCommand(c.getCommandSpec()));
      return;
    }
    StringBuilder title = new StringBuilder(command.qualifiedName());
    for (PositionalParamSpec parameter : command.positionalParameters()) {
      title.append(' ').append(parameter.paramLabel());
    }
    macro(".SS", title.toString());
    for (String paragraph : command.usageMessage().description()) {
      if (paragraph.isEmpty()) {
        page.append(".PP\n");
      } else {
        // Descriptions are format strings for picocli.
        LINES.split(paragraph).forEach(this::text);
      }
    }
    command.positionalParameters().forEach(p -> writeArgument(p.paramLabel(), "", p));
    for (OptionSpec option : command.options()) {
      if (!option.hidden() && !option.inherited() && !option.usageHelp() && !option.versionHelp()) {
        writeOption(option);
      }
    }
    examples(command.usageMessage(), ".PP");
  }

  private void writeOption(OptionSpec option) {
    String label = option.arity().max() == 0 ? "" : option.paramLabel();
    writeArgument(String.join(", ", Arrays.asList(option.names())), label, option);
  }

  private void writeArgument(String name, String label, ArgSpec argument) {
    page.append(".TP\n\\fB").append(escape(name)).append("\\fR");
    if (!label.isEmpty()) {
      page.append(" \\fI").append(escape(label)).append("\\fR");
    }
    page.append('\n');
    for (String line : argument.description()) {
      text(line);
    }
  }

  /** Writes the footer below the options: examples, line by line. */
  private void examples(UsageMessageSpec usage, String heading) {
    if (usage.footer().length == 0) {
      return;
    }
    if (heading.equals(".SH")) {
      macro(heading, "EXAMPLES");
    } else {
      page.append(heading).append("\nFor example:\n");
    }
    page.append(".PP\n.nf\n");
    for (String line : usage.footer()) {
      text(line);
    }
    page.append(".fi\n");
  }

  private void macro(String name, String... arguments) {
    page.append(name);
    for (String argument : arguments) {
      page.append(" \"").append(escape(argument).replace("\"", "\\(dq")).append('"');
    }
    page.append('\n');
  }

  /** Writes a line of text, escaped so that roff sees no request in it. */
  private void text(String line) {
    String escaped = escape(line);
    boolean isRequest = escaped.startsWith(".") || escaped.startsWith("'");
    page.append(isRequest ? "\\&" : "").append(escaped).append('\n');
  }

  private static String escape(String text) {
    return text.replace("\\", "\\e").replace("-", "\\-");
  }
}
