package io.kmodel.indexer.sort.device.records;

import io.kmodel.indexer.gpu.GpuKernel;
import io.kmodel.indexer.sort.device.DeviceLane;
import io.kmodel.indexer.sort.device.DigitCounts;
import io.kmodel.indexer.sort.device.records.DeviceRecords.Layout;
import java.util.ArrayList;
import java.util.List;

/**
 * Radix sort of records with one pass for each digit of 8 bits, as {@code gpu-radix}
 * (kernels/sorters/records.cuh). It stands for SRTS of Merrill and Grimshaw, with 4 bits a pass,
 * which Bandyopadhyay and Sahni extend in section V. Stable.
 */
final class RadixRecords implements RecordSorter {
  private static final int THREADS = 512;

  private final DigitCounts counts;
  private final GpuKernel moveRecords;

  RadixRecords(Layout layout) {
    boolean isByField = layout == Layout.BY_FIELD;
    this.counts = new DigitCounts(Integer.BYTES, THREADS * (isByField ? 28 : 8));
    this.moveRecords =
        new GpuKernel("move_records_" + layout.kind(), THREADS, isByField ? 93_224 : 60_456);
  }

  @Override
  public List<GpuKernel> kernels() {
    List<GpuKernel> kernels = new ArrayList<>(counts.kernels());
    kernels.add(moveRecords);
    return kernels;
  }

  @Override
  public boolean isStable() {
    return true;
  }

  @Override
  public long scratchBytes(long n) {
    return counts.stateBytes(n);
  }

  @Override
  public long sort(DeviceLane lane, DeviceRecords records) {
    long n = records.count();
    if (n > 0) {
      long state = records.scratch();
      counts.run(lane, records.keys().first(), n, state);
      for (int pass = 0; pass < counts.passes(); pass++) {
        int from = pass % 2;
        lane.launch(moveRecords, counts.tiles(n), records.moved(from, 1 - from), pass, state);
      }
    }
    return records.fields().first();
  }
}
