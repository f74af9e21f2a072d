package io.kmodel.indexer.sort.device.records;

import io.kmodel.indexer.gpu.GpuKernel;
import io.kmodel.indexer.sort.device.DeviceLane;
import io.kmodel.indexer.sort.device.Pieces;
import io.kmodel.indexer.sort.device.ScanKernels;
import io.kmodel.indexer.sort.device.records.DeviceRecords.Layout;
import java.util.ArrayList;
import java.util.List;

/**
 * GRS, the radix sort of records of Bandyopadhyay and Sahni, section VI: 4 bits a pass, with a rank
 * of 2 bytes for each record, so that a pass moves it once (kernels/sorters/grs.cuh). Stable.
 */
final class GrsRecords implements RecordSorter {
  private static final int KEY_BITS = 32;
  private static final int DIGIT_BITS = 4;
  private static final int DIGITS = 1 << DIGIT_BITS;
  private static final int RANK_THREADS = 64;

  private final int tile;
  private final GpuKernel rankRecords;
  private final GpuKernel moveRanked;
  private final ScanKernels scan = new ScanKernels();

  GrsRecords(Layout layout) {
    boolean isByField = layout == Layout.BY_FIELD;
    this.tile = RANK_THREADS * (isByField ? 32 : 16);
    this.rankRecords =
        new GpuKernel("rank_records_" + layout.kind(), RANK_THREADS, isByField ? 12_608 : 8512);
    this.moveRanked =
        new GpuKernel(
            "move_ranked_" + layout.kind(), isByField ? 128 : 512, isByField ? 8384 : 6336);
  }

  @Override
  public List<GpuKernel> kernels() {
    List<GpuKernel> kernels = new ArrayList<>(List.of(rankRecords, moveRanked));
    kernels.addAll(scan.all());
    return kernels;
  }

  @Override
  public boolean isStable() {
    return true;
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
        + Math.ceilDiv(n * Short.BYTES, (long) Long.BYTES) * Long.BYTES;
  }

  @Override
  public long sort(DeviceLane lane, DeviceRecords records) {
    long n = records.count();
    Pieces pieces = new Pieces(records.scratch());
    long counts = pieces.take(ScanKernels.bytes(numbers(n)));
    long sums = pieces.take(ScanKernels.sumBytes(numbers(n)));
    long ranks = pieces.take(n * Short.BYTES);
    int side = 0;
    for (int shift = 0; n > 0 && shift < KEY_BITS; shift += DIGIT_BITS) {
      lane.launch(rankRecords, tiles(n), records.keys().of(side), n, shift, counts, ranks);
      scan.run(lane, counts, tiles(n) * DIGITS, sums);
      lane.launch(moveRanked, tiles(n), records.moved(side, 1 - side), shift, counts, ranks);
      side = 1 - side;
    }
    return records.fields().first();
  }
}
