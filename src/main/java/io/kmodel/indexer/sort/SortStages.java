package io.kmodel.indexer.sort;

import io.kmodel.indexer.gpu.GpuException;
import io.kmodel.indexer.gpu.GpuProbe;

/** Opens the stage that a user has chosen. */
public final class SortStages {
  private SortStages() {}

  /**
   * A stage on the chosen devices, or the CPU's where there is a choice and no device.
   *
   * @throws IllegalArgumentException if a GPU was asked for and there is none; the message says why
   */
  public static SortStage open(DeviceChoice choice, KeySorter cpu) {
    if (choice.kind() == DeviceChoice.Kind.CPU) {
      return new CpuSortStage(cpu);
    }
    return open(choice, GpuProbe.look(), GpuProbe.kernels(), KernelShape.PACKED, cpu);
  }

  static SortStage open(
      DeviceChoice choice, GpuProbe probe, byte[] image, KernelShape shape, KeySorter cpu) {
    if (!probe.isAvailable()) {
      return withoutDevice(choice, probe.reason(), cpu);
    }
    try {
      return new GpuSortStage(choice.among(probe), image, shape, cpu);
    } catch (GpuException e) {
      return withoutDevice(choice, e.getMessage(), cpu);
    }
  }

  private static SortStage withoutDevice(DeviceChoice choice, String reason, KeySorter cpu) {
    if (choice.kind() == DeviceChoice.Kind.GPU) {
      throw new IllegalArgumentException("--device " + choice + " cannot be had: " + reason);
    }
    return new CpuSortStage(cpu, reason);
  }
}
