package io.kmodel.indexer.sort;

import io.kmodel.indexer.gpu.GpuException;
import io.kmodel.indexer.gpu.GpuProbe;
import java.util.function.Supplier;

/** Opens the stage that a user has chosen. */
public final class SortStages {
  private SortStages() {}

  /**
   * A stage on the chosen devices, or the CPU's where there is a choice and no device. Devices that
   * were asked for are waited for; others are opened while the CPU sorts.
   *
   * @throws IllegalArgumentException if a GPU was asked for and there is none; the message says why
   */
  public static SortStage open(DeviceChoice choice, KeySorter cpu) {
    return switch (choice.kind()) {
      case CPU -> new CpuSortStage(cpu);
      case GPU -> look(choice, cpu);
      case AUTO -> {
        String obstacle = GpuProbe.obstacle();
        yield obstacle.isEmpty()
            ? opening(() -> look(choice, cpu), cpu)
            : new CpuSortStage(cpu, obstacle);
      }
    };
  }

  /** A stage that another thread opens, and the CPU's until it has. */
  public static SortStage opening(Supplier<SortStage> stage, KeySorter cpu) {
    return new OpeningSortStage(stage, cpu);
  }

  private static SortStage look(DeviceChoice choice, KeySorter cpu) {
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
