package io.kmodel.indexer.cli.option;

import io.kmodel.indexer.cli.base.ByteSize;
import io.kmodel.indexer.indexing.options.BuildOptions;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Checks lower bounds of numeric options. */
public final class AtLeastOne {
  private AtLeastOne() {}

  /** Refuses a number below 1. */
  public static void require(CommandSpec spec, String option, int count) {
    require(spec, option, count, 1);
  }

  /** Refuses a number below {@code least}. */
  public static void require(CommandSpec spec, String option, int count, int least) {
    if (count < least) {
      throw new ParameterException(
          spec.commandLine(), "%s must be at least %d; got %d".formatted(option, least, count));
    }
  }

  /** Refuses a memory budget below the minimum of a build. */
  public static void requireMemory(CommandSpec spec, long bytes) {
    long least = BuildOptions.Resources.MIN_MEMORY_BYTES;
    if (bytes < least) {
      throw new ParameterException(
          spec.commandLine(),
          "--memory must be at least %s; got %s"
              .formatted(ByteSize.format(least), ByteSize.format(bytes)));
    }
  }
}
