package io.kmodel.indexer.experiment;

import io.kmodel.indexer.gpu.GpuInfo;
import io.kmodel.indexer.gpu.GpuProbe;
import java.util.Optional;

/**
 * The device on which sorters of a race run.
 *
 * @param image the compiled sorters
 */
public record RaceDevice(GpuInfo info, byte[] image) {
  /** Why there is none, or empty if there is one. */
  public static Optional<String> whyNot() {
    GpuProbe probe = GpuProbe.look();
    return probe.isAvailable() ? Optional.empty() : Optional.of(probe.reason());
  }

  /**
   * The first device.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static RaceDevice first() {
    GpuProbe probe = GpuProbe.look();
    if (!probe.isAvailable()) {
      throw new IllegalArgumentException("no GPU: " + probe.reason());
    }
    return new RaceDevice(probe.devices().getFirst(), GpuProbe.sorters());
  }
}
