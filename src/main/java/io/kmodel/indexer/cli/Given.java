package io.kmodel.indexer.cli;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * What the command line itself gives. An option that another has no use for is a mistake there, and
 * none in the environment or the file of settings, which are for many calls.
 */
final class Given {
  private Given() {}

  static boolean isGiven(CommandSpec command, String option) {
    return command.commandLine().getParseResult().hasMatchedOption(option);
  }

  /** Refuses options that say something of one that is not given. */
  static void refuse(CommandSpec command, List<String> options, String missing) {
    for (String option : options) {
      if (isGiven(command, option)) {
        throw new ParameterException(
            command.commandLine(), "%s is about %s, which is not given".formatted(option, missing));
      }
    }
  }
}
