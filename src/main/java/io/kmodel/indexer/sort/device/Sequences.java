package io.kmodel.indexer.sort.device;

import io.kmodel.indexer.gpu.GpuKernel;
import java.util.List;

/**
 * The last step of quicksort and of sample sort: a block of threads sorts each sequence, or fills
 * it with one key (kernels/sorters/quick.cuh). Tables of sequences have five words each: first and
 * last (exclusive) place, pivot, and the numbers of keys below and above it.
 */
public final class Sequences {
  public static final int WORDS = 5;
  public static final long BYTES = (long) WORDS * Long.BYTES;

  /** Keys that a block sorts in shared memory. */
  public static final int SMALL = 2048;

  private static final int THREADS = 256;

  private final GpuKernel fill;
  private final GpuKernel sort;

  public Sequences(int keyBytes) {
    String kind = Kinds.of(keyBytes);
    this.fill = new GpuKernel("fill_pivots_" + kind, THREADS, 0);
    // The keys, what a split needs, and 64 sequences that wait.
    this.sort =
        new GpuKernel("sort_sequences_" + kind, THREADS, keyBytes == Long.BYTES ? 17_760 : 9_568);
  }

  public List<GpuKernel> kernels() {
    return List.of(fill, sort);
  }

  public static Table table() {
    return new Table(WORDS);
  }

  public void sort(DeviceLane lane, DeviceKeys keys, int side, long table, long count) {
    lane.launch(sort, count, keys.address(), keys.other(), table, side);
  }

  public void fill(DeviceLane lane, DeviceKeys keys, long table, long count) {
    lane.launch(fill, count, keys.address(), table);
  }
}
