package io.kmodel.indexer.experiment;

import io.kmodel.indexer.gpu.GpuInfo;
import io.kmodel.indexer.gpu.GpuProbe;
import java.util.Optional;

/** The device on which sorters of a race run. */
public final class RaceDevice {
  private static final String NO_SORTERS = "this program was built without the papers' sorters";

  private final GpuInfo info;
  private final byte[] image;

  /** Takes a device and the compiled sorters. */
  public RaceDevice(GpuInfo info, byte[] image) {
    this.info = info;
    this.image = image;
  }

  /** Why no device can be used, or empty if one can. */
  public static Optional<String> whyNot() {
    GpuProbe probe = GpuProbe.look();
    if (!probe.isAvailable()) {
      return Optional.of(probe.reason());
    }
    return GpuProbe.sorters().length > 0 ? Optional.empty() : Optional.of(NO_SORTERS);
  }

  /**
   * The first device.
   *
   * @throws IllegalArgumentException if no device can be used
   */
  public static RaceDevice first() {
    whyNot()
        .ifPresent(
            reason -> {
              throw new IllegalArgumentException("no GPU: " + reason);
            });
    GpuProbe probe = GpuProbe.look();
    return new RaceDevice(probe.devices().getFirst(), GpuProbe.sorters());
  }

  public GpuInfo info() {
    return info;
  }

  /** The compiled sorters. */
  public byte[] image() {
    return image;
  }
}
