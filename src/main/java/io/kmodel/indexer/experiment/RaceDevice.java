package io.kmodel.indexer.experiment;

import io.kmodel.indexer.gpu.GpuInfo;
import io.kmodel.indexer.gpu.GpuProbe;
import java.util.List;
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

  /** Why no device of a probe can be used, or empty if one can. */
  public static Optional<String> whyNot(GpuProbe probe) {
    if (!probe.isAvailable()) {
      return Optional.of(probe.reason());
    }
    return GpuProbe.hasSorters() ? Optional.empty() : Optional.of(NO_SORTERS);
  }

  /** Prepares devices with the sorters of this program. */
  public static List<RaceDevice> of(List<GpuInfo> infos) {
    byte[] image = GpuProbe.sorters();
    return infos.stream().map(info -> new RaceDevice(info, image)).toList();
  }

  /**
   * The first device.
   *
   * @throws IllegalArgumentException if no device can be used
   */
  public static RaceDevice first() {
    GpuProbe probe = GpuProbe.look();
    Optional<String> obstacle = whyNot(probe);
    if (obstacle.isPresent()) {
      throw new IllegalArgumentException("no GPU: " + obstacle.get());
    }
    return of(probe.devices().subList(0, 1)).getFirst();
  }

  public GpuInfo info() {
    return info;
  }

  /** The compiled sorters. */
  public byte[] image() {
    return image;
  }
}
