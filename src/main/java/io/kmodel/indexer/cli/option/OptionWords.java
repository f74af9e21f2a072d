package io.kmodel.indexer.cli.option;

import com.google.common.base.Splitter;
import io.kmodel.indexer.parse.text.Suggestions;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;

/** Rewrites messages in the words of the command line, where options and values have hyphens. */
public final class OptionWords {
  /**
   * Matches a parameter at the start of a validation error: {@code maxExpansion must be at least
   * 1}.
   */
  private static final Pattern MUST = Pattern.compile("^([a-z][A-Za-z0-9]*)(?= must )");

  private static final Pattern CAPITAL = Pattern.compile("[A-Z]");

  /** Picocli's words for a value of another type than the option's. */
  private static final Pattern TYPE =
      Pattern.compile("'([^']*)' is not an? (int|long|double|float|boolean)$");

  /** Picocli's words for an unknown value; it names the known ones in capitals. */
  private static final Pattern ENUM =
      Pattern.compile(
          "expected one of \\[([\\w, -]+)] (?:\\(case-insensitive\\) )?but was '(.*)'$",
          Pattern.DOTALL);

  /** Picocli's words for {@code help} of a command that does not exist. */
  private static final Pattern COMMAND =
      Pattern.compile("^Unknown subcommand '(.*)'\\.$", Pattern.DOTALL);

  private static final Pattern DIGITS = Pattern.compile("[+-]?[0-9]+");

  private OptionWords() {}

  /** The message in those words. */
  public static String of(String message, CommandSpec command) {
    Matcher type = TYPE.matcher(message);
    if (type.find()) {
      return message.substring(0, type.start()) + notOf(type.group(2), type.group(1));
    }
    Matcher values = ENUM.matcher(message);
    if (values.find()) {
      return message.substring(0, values.start()) + noneOf(values.group(1), values.group(2));
    }
    Matcher unknown = COMMAND.matcher(message);
    if (unknown.find()) {
      String name = unknown.group(1);
      return "there is no command '%s'%s"
          .formatted(name, Suggestions.question(name, command.subcommands().keySet()));
    }
    return withOption(message, command);
  }

  private static String notOf(String type, String value) {
    String expected =
        switch (type) {
          case "int", "long" ->
              DIGITS.matcher(value).matches() ? "in the range of numbers" : "a whole number";
          case "boolean" -> "true or false";
          default -> "a number";
        };
    return "'%s' is not %s".formatted(value, expected);
  }

  private static String noneOf(String constants, String value) {
    List<String> known =
        Splitter.on(", ").splitToList(constants.toLowerCase(Locale.ROOT).replace('_', '-'));
    return "'%s' is not one of %s%s"
        .formatted(
            value,
            String.join(", ", known),
            Suggestions.question(value.toLowerCase(Locale.ROOT), known));
  }

  /** Replaces a parameter name at the start of a message with the name of its option. */
  private static String withOption(String message, CommandSpec command) {
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
