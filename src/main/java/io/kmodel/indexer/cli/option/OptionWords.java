package io.kmodel.indexer.cli.option;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;

/** Rewrites messages to name options as on the command line. */
public final class OptionWords {
  /**
   * Matches a parameter at the start of a validation error: {@code maxExpansion must be at least
   * 1}.
   */
  private static final Pattern MUST = Pattern.compile("^([a-z][A-Za-z0-9]*)(?= must )");

  private static final Pattern CAPITAL = Pattern.compile("[A-Z]");

  private OptionWords() {}

  /** Replaces a parameter name at the start of a message with the name of its option. */
  public static String of(String message, CommandSpec command) {
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
