package io.kmodel.indexer.sort.device;

import io.kmodel.indexer.gpu.GpuKernel;
import java.util.ArrayList;
import java.util.List;

/**
 * Radix sort by splits, 4 bits a pass: tiles are sorted by a digit, then scattered (Satish et al.,
 * Fast sort on CPUs and GPUs, 4.4; kernels/sorters/split.cuh). With one key a thread it is the sort
 * of Sengupta et al. that Capannini et al. compare with the network in section 6. Stable.
 */
final class SplitSorter implements DeviceSorter {
  private static final int THREADS = 256;
  private static final int DIGIT_BITS = 4;
  private static final int DIGITS = 1 << DIGIT_BITS;

  private final int keyBytes;
  private final int tile;
  private final GpuKernel sortTiles;
  private final GpuKernel scatterTiles;
  private final ScanKernels scan = new ScanKernels();

  private SplitSorter(int keyBytes, int each, String kind) {
    this.keyBytes = keyBytes;
    this.tile = THREADS * each;
    // The keys, 17 starts and the sums of 8 warps.
    int sharedBytes = keyBytes * tile + 80 + 32;
    this.sortTiles = new GpuKernel("sort_tiles_" + kind, THREADS, sharedBytes);
    this.scatterTiles = new GpuKernel("scatter_tiles_" + kind, THREADS, 0);
  }

  static SplitSorter ofSatish(int keyBytes) {
    return new SplitSorter(keyBytes, keyBytes == Long.BYTES ? 6 : 9, Kinds.of(keyBytes));
  }

  static SplitSorter ofSengupta(int keyBytes) {
    return new SplitSorter(keyBytes, 1, Kinds.of(keyBytes) + "_1");
  }

  @Override
  public List<GpuKernel> kernels() {
    List<GpuKernel> kernels = new ArrayList<>(List.of(sortTiles, scatterTiles));
    kernels.addAll(scan.all());
    return kernels;
  }

  private long tiles(long n) {
    return Math.ceilDiv(n, (long) tile);
  }

  private long numbers(long n) {
    return tiles(n) * DIGITS;
  }

  @Override
  public long scratchBytes(long n) {
    return ScanKernels.bytes(numbers(n))
        + ScanKernels.sumBytes(numbers(n))
        + numbers(n) * Integer.BYTES;
  }

  @Override
  public void sort(DeviceLane lane, DeviceKeys keys) {
    long n = keys.count();
    if (n == 0) {
      return;
    }
    Pieces pieces = new Pieces(keys.scratch());
    long counts = pieces.take(ScanKernels.bytes(numbers(n)));
    long sums = pieces.take(ScanKernels.sumBytes(numbers(n)));
    long starts = pieces.take(numbers(n) * Integer.BYTES);
    for (int shift = 0; shift < Byte.SIZE * keyBytes; shift += DIGIT_BITS) {
      lane.launch(sortTiles, tiles(n), keys.address(), keys.other(), n, shift, counts, starts);
      scan.run(lane, counts, tiles(n) * DIGITS, sums);
      lane.launch(scatterTiles, tiles(n), keys.other(), keys.address(), n, shift, counts, starts);
    }
  }
}
