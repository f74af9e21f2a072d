package io.kmodel.indexer.sort.device;

import io.kmodel.indexer.gpu.GpuKernel;
import java.util.ArrayList;
import java.util.List;

/**
 * Radix sort with one pass for each digit of 8 bits: a tile learns where its keys belong from the
 * tiles before it while all of them work (Merrill and Garland's decoupled look-back;
 * kernels/sorters/radix.cuh). Stable.
 */
final class RadixSorter implements DeviceSorter {
  private static final int THREADS = 384;

  private final DigitCounts counts;
  private final GpuKernel moveKeys;

  RadixSorter(int keyBytes) {
    boolean isWide = keyBytes == Long.BYTES;
    this.counts = new DigitCounts(keyBytes, THREADS * (isWide ? 20 : 32));
    this.moveKeys =
        new GpuKernel("move_keys_" + Kinds.of(keyBytes), THREADS, isWide ? 89_128 : 76_840);
  }

  @Override
  public List<GpuKernel> kernels() {
    List<GpuKernel> kernels = new ArrayList<>(counts.kernels());
    kernels.add(moveKeys);
    return kernels;
  }

  @Override
  public long scratchBytes(long n) {
    return counts.stateBytes(n);
  }

  @Override
  public void sort(DeviceLane lane, DeviceKeys keys) {
    if (keys.count() == 0) {
      return;
    }
    long n = keys.count();
    long state = keys.scratch();
    counts.run(lane, keys.address(), n, state);
    for (int pass = 0; pass < counts.passes(); pass++) {
      long from = pass % 2 == 0 ? keys.address() : keys.other();
      long to = pass % 2 == 0 ? keys.other() : keys.address();
      lane.launch(moveKeys, counts.tiles(n), from, to, n, pass, state);
    }
  }
}
