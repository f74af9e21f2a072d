package io.kmodel.indexer.cli.option;

import io.kmodel.indexer.store.disk.DiskSpace;
import picocli.CommandLine.Option;

/** The option to skip the check for free disk space. */
public final class SpaceOption {
  @Option(
      names = "--ignore-free-space",
      fallbackValue = "true",
      description = "Skip the check for free disk space, whose estimate is rough.")
  private boolean ignored;

  SpaceOption() {}

  public DiskSpace space() {
    return ignored ? DiskSpace.UNCHECKED : DiskSpace.CHECKED;
  }
}
