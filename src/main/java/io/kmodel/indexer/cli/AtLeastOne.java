package io.kmodel.indexer.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Options that say how many of something are wanted. */
final class AtLeastOne {
  private AtLeastOne() {}

  /** Refuses a number below 1. */
  static void require(CommandSpec spec, String option, int count) {
    if (count < 1) {
      throw new ParameterException(
          spec.commandLine(), "%s must be at least 1; got %d".formatted(option, count));
    }
  }
}
