package io.kmodel.indexer.sort.device;

import io.kmodel.indexer.gpu.GpuKernel;
import java.util.List;

/** Sums of the numbers before each, in place: kernels/inversion/scan.cuh. */
public final class ScanKernels {
  private static final int TILE = 2048;

  private final GpuKernel sumTiles = new GpuKernel("sum_tiles", 256, 64);
  private final GpuKernel scanSums = new GpuKernel("scan_sums", 256, 64);
  private final GpuKernel scanNumbers = new GpuKernel("scan_numbers", 256, 64);

  public List<GpuKernel> all() {
    return List.of(sumTiles, scanSums, scanNumbers);
  }

  private static long tiles(long numbers) {
    return numbers / TILE + 1;
  }

  /** Bytes of so many numbers of 8 bytes and of their sum behind them. */
  public static long bytes(long numbers) {
    return (numbers + 1) * Long.BYTES;
  }

  /** Bytes of the sums of tiles. */
  public static long sumBytes(long numbers) {
    return (tiles(numbers) + 1) * Long.BYTES;
  }

  /** Sums of the numbers of tiles before each, which are few, and their sum behind them. */
  public void sumTiles(DeviceLane lane, long sums, long count) {
    lane.launch(scanSums, 1, sums, count);
  }

  public void run(DeviceLane lane, long numbers, long count, long sums) {
    lane.launch(sumTiles, tiles(count), numbers, count, sums);
    sumTiles(lane, sums, tiles(count));
    lane.launch(scanNumbers, tiles(count), numbers, count, sums);
  }
}
