package io.kmodel.indexer.sort.device;

import io.kmodel.indexer.gpu.GpuKernel;
import io.kmodel.indexer.sort.KernelShape;
import java.util.List;

/** The K-model's bitonic network, the only one in place. Keys of 8 bytes have at most 62 bits. */
final class NetworkSorter implements DeviceSorter {
  private final KernelShape shape;

  NetworkSorter(int keyBytes) {
    this.shape = keyBytes == Integer.BYTES ? KernelShape.INTEGERS : KernelShape.PACKED;
  }

  @Override
  public List<GpuKernel> kernels() {
    return shape.kernels();
  }

  @Override
  public boolean needsSecondBuffer() {
    return false;
  }

  @Override
  public long scratchBytes(long n) {
    return 0;
  }

  @Override
  public void sort(DeviceLane lane, DeviceKeys keys) {
    shape.sort(lane.stream(), keys.address(), keys.count());
  }
}
