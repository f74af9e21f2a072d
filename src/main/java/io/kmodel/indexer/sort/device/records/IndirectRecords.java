package io.kmodel.indexer.sort.device.records;

import io.kmodel.indexer.gpu.GpuKernel;
import io.kmodel.indexer.sort.device.DeviceLane;
import io.kmodel.indexer.sort.device.Pieces;
import io.kmodel.indexer.sort.device.records.DeviceRecords.Layout;
import io.kmodel.indexer.sort.device.records.DeviceRecords.Pair;
import java.util.ArrayList;
import java.util.List;

/**
 * Sorts pairs of a key and a record's number by a direct sorter, then gathers the other fields in
 * the order of the numbers (Bandyopadhyay and Sahni, section III; kernels/sorters/records.cuh).
 * Needs 4 bytes for each record more than the direct sorter. Stable if that one is.
 */
final class IndirectRecords implements RecordSorter {
  private static final int THREADS = 256;

  private final RecordSorter direct;
  private final boolean isByField;
  private final int tile;
  private final GpuKernel numberRecords = new GpuKernel("number_records", THREADS, 0);
  private final GpuKernel gather;

  /**
   * Creates a sorter.
   *
   * @param direct sorts records by field
   * @param layout of the records to gather
   */
  IndirectRecords(RecordSorter direct, Layout layout) {
    this.direct = direct;
    this.isByField = layout == Layout.BY_FIELD;
    this.tile = THREADS * (isByField ? 4 : 2);
    this.gather = new GpuKernel("gather_" + layout.kind(), THREADS, 0);
  }

  @Override
  public List<GpuKernel> kernels() {
    List<GpuKernel> kernels = new ArrayList<>(direct.kernels());
    kernels.add(numberRecords);
    kernels.add(gather);
    return kernels;
  }

  @Override
  public boolean isStable() {
    return direct.isStable();
  }

  private static long numberBytes(long n) {
    return Math.ceilDiv(n * Integer.BYTES, (long) Long.BYTES) * Long.BYTES;
  }

  @Override
  public long scratchBytes(long n) {
    return numberBytes(n) + direct.scratchBytes(n);
  }

  @Override
  public long sort(DeviceLane lane, DeviceRecords records) {
    long n = records.count();
    Pieces pieces = new Pieces(records.scratch());
    long numbers = pieces.take(numberBytes(n));
    lane.launch(numberRecords, Math.ceilDiv(n, (long) THREADS), numbers, n);
    // The room for other fields holds the numbers until the fields are gathered.
    Pair fields = new Pair(numbers, records.fields().second());
    long sorted = direct.sort(lane, new DeviceRecords(records.keys(), fields, pieces.end(), n, 1));
    long tiles = Math.ceilDiv(n, (long) tile);
    if (isByField) {
      lane.launch(gather, tiles * records.others(), records.moved(0, 1), sorted, tiles);
    } else {
      lane.launch(gather, tiles, records.moved(0, 1), sorted);
    }
    return records.fields().second();
  }
}
