package io.kmodel.indexer.cli.option;

import io.kmodel.indexer.store.disk.DiskSpace;
import picocli.CommandLine.Option;

/** The option to skip the check for free disk space. */
public final class SpaceOption {
  @Option(
      names = "--ignore-free-space",
      fallbackValue = "true",
      description =
          "Start even if the free disk space seems too small; the estimate is rough, or space may be"
              + " freed meanwhile.")
  private boolean ignored;

  SpaceOption() {}

  public DiskSpace space() {
    return ignored ? DiskSpace.UNCHECKED : DiskSpace.CHECKED;
  }
}
