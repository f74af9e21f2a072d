package io.kmodel.indexer.cli;

import picocli.CommandLine.Model.CommandSpec;

/**
 * What the command line itself gives. An option that another has no use for is a mistake there, and
 * none in the environment or the file of settings, which are for many calls.
 */
final class Given {
  private Given() {}

  static boolean isGiven(CommandSpec command, String option) {
    return command.commandLine().getParseResult().hasMatchedOption(option);
  }
}
