package io.kmodel.indexer.sort.device;

import io.kmodel.indexer.gpu.GpuKernel;
import java.util.ArrayList;
import java.util.List;

/**
 * Sample sort of Leischner, Osipov and Sanders, as Bandyopadhyay and Sahni describe it in section
 * IV (kernels/sorters/sample.cuh), in {@link SampleRounds}. Not stable.
 */
final class SampleSorter implements DeviceSorter {
  /** A block sorts 2^16 keys at most. Parts of 4096 to 131072 keys were tried. */
  private static final SampleRounds.Plan PLAN = new SampleRounds.Plan(1 << 16, 32_768, 0);

  private final SampleRounds rounds;
  private final GpuKernel fillBuckets;
  private final Sequences sequences;

  SampleSorter(int keyBytes) {
    this.rounds = new SampleRounds(keyBytes, PLAN);
    this.fillBuckets =
        new GpuKernel(
            "fill_buckets_" + Kinds.of(keyBytes),
            SampleRounds.THREADS,
            SampleRounds.bucketBytes(keyBytes));
    this.sequences = new Sequences(keyBytes);
  }

  @Override
  public List<GpuKernel> kernels() {
    List<GpuKernel> kernels = new ArrayList<>(rounds.kernels());
    kernels.add(fillBuckets);
    kernels.addAll(sequences.kernels());
    return kernels;
  }

  @Override
  public long scratchBytes(long n) {
    return rounds.scratchBytes(n);
  }

  @Override
  public void sort(DeviceLane lane, DeviceKeys keys) {
    rounds.sort(lane, keys, new OfKeys(lane, keys));
  }

  private final class OfKeys implements SampleRounds.Moves {
    private final DeviceLane lane;
    private final DeviceKeys keys;

    OfKeys(DeviceLane lane, DeviceKeys keys) {
      this.lane = lane;
      this.keys = keys;
    }

    @Override
    public void fillBuckets(SampleRounds.Places at, int parts, int side) {
      long from = side == 0 ? keys.address() : keys.other();
      long to = side == 0 ? keys.other() : keys.address();
      lane.launch(fillBuckets, parts, from, to, at.parts, at.segments, at.splitters, at.counts);
    }

    @Override
    public void fillEqual(SampleRounds.Places at, int count, int side) {
      sequences.fill(lane, keys, at.sequences, count);
    }

    @Override
    public void sortSequences(SampleRounds.Places at, int count, int side) {
      sequences.sort(lane, keys, side, at.sequences, count);
    }
  }
}
