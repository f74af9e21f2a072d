package io.kmodel.indexer.cli.option;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * The options that the command line itself gives. If an option has no effect in a call, it is an
 * error on the command line. In the environment or the settings file it is not, because these serve
 * many calls.
 */
public final class Given {
  private Given() {}

  public static boolean isGiven(CommandSpec command, String option) {
    return command.commandLine().getParseResult().hasMatchedOption(option);
  }

  /** Refuses options that have no effect without an option that is missing. */
  public static void refuse(CommandSpec command, List<String> options, String missing) {
    refuseAll(command, options, "without %s, which is not given".formatted(missing));
  }

  /** Refuses options that have no effect with another one, which is given. */
  public static void refuseWith(CommandSpec command, List<String> options, String other) {
    refuseAll(command, options, "with " + other);
  }

  private static void refuseAll(CommandSpec command, List<String> options, String when) {
    for (String option : options) {
      if (isGiven(command, option)) {
        throw new ParameterException(
            command.commandLine(), "%s has no effect %s".formatted(option, when));
      }
    }
  }
}
