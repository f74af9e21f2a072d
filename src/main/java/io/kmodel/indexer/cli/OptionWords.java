package io.kmodel.indexer.cli;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;

/** Messages in the words of the command line. */
final class OptionWords {
  /** How the rooms say that a value cannot be: {@code maxExpansion must be at least 1}. */
  private static final Pattern MUST = Pattern.compile("^([a-z][A-Za-z0-9]*)(?= must )");

  private static final Pattern CAPITAL = Pattern.compile("[A-Z]");

  private OptionWords() {}

  /** A message that begins with what the program calls an option, with the option's name there. */
  static String of(String message, CommandSpec command) {
    Matcher matcher = MUST.matcher(message);
    if (!matcher.find()) {
      return message;
    }
    String option =
        "--"
            + CAPITAL
                .matcher(matcher.group())
                .replaceAll(capital -> "-" + capital.group().toLowerCase(Locale.ROOT));
    return command.findOption(option) == null ? message : option + message.substring(matcher.end());
  }
}
