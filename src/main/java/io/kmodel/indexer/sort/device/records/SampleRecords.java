package io.kmodel.indexer.sort.device.records;

import io.kmodel.indexer.gpu.GpuKernel;
import io.kmodel.indexer.sort.device.DeviceKeys;
import io.kmodel.indexer.sort.device.DeviceLane;
import io.kmodel.indexer.sort.device.SampleRounds;
import io.kmodel.indexer.sort.device.Sequences;
import io.kmodel.indexer.sort.device.records.DeviceRecords.Layout;
import java.util.ArrayList;
import java.util.List;

/**
 * Sample sort of records (Bandyopadhyay and Sahni, section IV; kernels/sorters/records_sample.cuh),
 * in {@link SampleRounds}: a record moves once for each round, and once when a block has sorted the
 * keys of its bucket in shared memory. Not stable.
 */
final class SampleRecords implements RecordSorter {
  private final SampleRounds rounds;
  private final GpuKernel fillRecords;
  private final GpuKernel sortRecords;
  private final GpuKernel copyRecords;

  SampleRecords(Layout layout) {
    boolean isByField = layout == Layout.BY_FIELD;
    int part = isByField ? 10_240 : 8192;
    this.rounds =
        new SampleRounds(
            Integer.BYTES, new SampleRounds.Plan(Sequences.SMALL, part, Sequences.SMALL));
    this.fillRecords = kernel("fill", layout, isByField ? 70_688 : 42_016);
    this.sortRecords = kernel("sort", layout, Long.BYTES * Sequences.SMALL);
    this.copyRecords = kernel("copy", layout, 0);
  }

  private static GpuKernel kernel(String verb, Layout layout, int sharedBytes) {
    return new GpuKernel(verb + "_records_" + layout.kind(), SampleRounds.THREADS, sharedBytes);
  }

  @Override
  public List<GpuKernel> kernels() {
    List<GpuKernel> kernels = new ArrayList<>(rounds.kernels());
    kernels.addAll(List.of(fillRecords, sortRecords, copyRecords));
    return kernels;
  }

  @Override
  public boolean isStable() {
    return false;
  }

  @Override
  public long scratchBytes(long n) {
    return rounds.scratchBytes(n);
  }

  @Override
  public long sort(DeviceLane lane, DeviceRecords records) {
    DeviceKeys keys =
        new DeviceKeys(
            records.keys().first(), records.keys().second(), records.scratch(), records.count());
    rounds.sort(lane, keys, new OfRecords(lane, records));
    return records.fields().first();
  }

  private final class OfRecords implements SampleRounds.Moves {
    private final DeviceLane lane;
    private final DeviceRecords records;

    OfRecords(DeviceLane lane, DeviceRecords records) {
      this.lane = lane;
      this.records = records;
    }

    @Override
    public void fillBuckets(SampleRounds.Places at, int parts, int side) {
      lane.launch(
          fillRecords,
          parts,
          records.moved(side, 1 - side),
          at.parts,
          at.segments,
          at.splitters,
          at.counts);
    }

    /** They are there already after every other round. */
    @Override
    public void fillEqual(SampleRounds.Places at, int count, int side) {
      if (side != 0) {
        lane.launch(copyRecords, count, records.moved(side, 0), at.sequences);
      }
    }

    @Override
    public void sortSequences(SampleRounds.Places at, int count, int side) {
      lane.launch(sortRecords, count, records.moved(side, 0), at.sequences);
    }
  }
}
