package io.kmodel.indexer.sort.device;

import io.kmodel.indexer.gpu.GpuKernel;
import java.util.List;

/** A sorter of unsigned keys of 4 or 8 bytes in device memory. */
public interface DeviceSorter {
  List<GpuKernel> kernels();

  /** Whether it needs as much memory again as the keys. */
  default boolean needsSecondBuffer() {
    return true;
  }

  /** Bytes of device memory besides the keys and the second buffer. */
  long scratchBytes(long n);

  /**
   * Sorts keys. May return when the work is queued; sorters whose host takes part wait in between.
   */
  void sort(DeviceLane lane, DeviceKeys keys);
}
