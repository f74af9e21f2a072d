package io.kmodel.indexer.sort;

import io.kmodel.indexer.gpu.GpuException;
import io.kmodel.indexer.gpu.GpuProbe;
import java.util.function.Supplier;

/**
 * Chooses what puts runs in order: devices, if the user allows them and there are any; otherwise
 * the CPU, which counts the keys of a run that has counters and sorts those of any other run by
 * radix. A run has no counters if its fields have offsets or if its dictionary leaves no room for
 * them.
 */
public final class SortStages {
  private SortStages() {}

  /** The order used on the CPU, and for runs that a device failed to sort. */
  public static KeyOrder onCpu() {
    return onCpu(new RadixKeySorter());
  }

  /** The same with another sorter for runs without counters. */
  public static KeyOrder onCpu(KeySorter sorter) {
    KeyOrder counting = new CountingOrder();
    return job -> job.counters() == null ? sorter.submit(job) : counting.submit(job);
  }

  /**
   * Opens the stage that a user has chosen. Devices that were asked for are opened before this
   * returns; under {@code auto} another thread opens them while the CPU orders the first runs.
   *
   * @throws IllegalArgumentException if a GPU was asked for and there is none; the message says why
   */
  public static SortStage open(DeviceChoice choice) {
    KeyOrder cpu = onCpu();
    return switch (choice.kind()) {
      case CPU -> new CpuSortStage(cpu);
      case GPU -> probe(choice, cpu);
      case AUTO -> {
        String obstacle = GpuProbe.obstacle();
        yield obstacle.isEmpty()
            ? opening(() -> probe(choice, cpu), cpu)
            : new CpuSortStage(cpu, obstacle);
      }
    };
  }

  /** A stage without devices. */
  public static SortStage onlyCpu() {
    return new CpuSortStage(onCpu());
  }

  /**
   * A stage without devices because none can be there, or for another reason.
   *
   * @param reason why a device that may be there is not used
   */
  public static SortStage onlyCpu(String reason) {
    String obstacle = GpuProbe.obstacle();
    return new CpuSortStage(onCpu(), obstacle.isEmpty() ? reason : obstacle);
  }

  /** A stage that another thread opens; until then the CPU orders keys. */
  public static SortStage opening(Supplier<SortStage> stage, KeyOrder cpu) {
    return new OpeningSortStage(stage, cpu);
  }

  private static SortStage probe(DeviceChoice choice, KeyOrder cpu) {
    return open(choice, GpuProbe.look(), GpuProbe.kernels(), KernelShape.PACKED, cpu);
  }

  static SortStage open(
      DeviceChoice choice, GpuProbe probe, byte[] image, KernelShape shape, KeyOrder cpu) {
    if (!probe.isAvailable()) {
      return withoutDevice(choice, probe.reason(), cpu);
    }
    try {
      return new GpuSortStage(choice.among(probe), image, shape, cpu);
    } catch (GpuException e) {
      return withoutDevice(choice, e.getMessage(), cpu);
    }
  }

  private static SortStage withoutDevice(DeviceChoice choice, String reason, KeyOrder cpu) {
    if (choice.kind() == DeviceChoice.Kind.GPU) {
      throw new IllegalArgumentException("--device " + choice + " is not available: " + reason);
    }
    return new CpuSortStage(cpu, reason);
  }
}
