package io.kmodel.indexer.sort.device;

import io.kmodel.indexer.gpu.GpuKernel;
import io.kmodel.indexer.gpu.GpuStruct;
import java.util.List;

/**
 * Merge sort of the first 8 bytes of each string with its number (kernels/sorters/strings.cuh,
 * Davidson et al., section 4). A comparison of equal keys reads on in both strings. 20 bytes of
 * memory a string.
 */
final class StringMergeSorter implements StringSorter {
  private static final int THREADS = 256;
  private static final int TILE = THREADS * 5;
  private static final int SHARED_BYTES = 15_360;

  private final GpuKernel firstBytes = new GpuKernel("first_bytes", THREADS, 0);
  private final GpuKernel sortStrings = new GpuKernel("sort_strings", THREADS, SHARED_BYTES);
  private final GpuKernel partStrings = new GpuKernel("part_strings", MergePasses.PART_THREADS, 0);
  private final GpuKernel mergeStrings = new GpuKernel("merge_strings", THREADS, SHARED_BYTES);

  @Override
  public List<GpuKernel> kernels() {
    return List.of(firstBytes, sortStrings, partStrings, mergeStrings);
  }

  private static long tiles(long n) {
    return Math.ceilDiv(n, (long) TILE);
  }

  @Override
  public long scratchBytes(long n) {
    return new Places(0, n).end;
  }

  /** Where the tables are in device memory. */
  private static final class Places {
    final long parts;
    final long keys;
    final long otherKeys;
    final long otherValues;
    final long end;

    Places(long scratch, long n) {
      Pieces pieces = new Pieces(scratch);
      this.parts = pieces.take(tiles(n) * Long.BYTES);
      this.keys = pieces.take(n * Long.BYTES);
      this.otherKeys = pieces.take(n * Long.BYTES);
      this.otherValues = pieces.take(n * Integer.BYTES);
      this.end = pieces.end();
    }
  }

  @Override
  public void sort(DeviceLane lane, DeviceStrings strings, long order, long scratch) {
    long n = strings.count();
    if (n == 0) {
      return;
    }
    Places places = new Places(scratch, n);
    long[] keys = {places.keys, places.otherKeys};
    long[] values = {order, places.otherValues};
    GpuStruct all = strings.struct();
    lane.launch(firstBytes, Math.ceilDiv(n, (long) THREADS), all, n, keys[0], values[0]);
    MergePasses.run(
        n,
        TILE,
        to ->
            lane.launchWithLast(
                sortStrings, tiles(n), all, keys[0], values[0], keys[to], values[to], n),
        (from, width) -> {
          int to = 1 - from;
          lane.launchWithLast(
              partStrings,
              MergePasses.partBlocks(tiles(n)),
              all,
              keys[from],
              values[from],
              n,
              width,
              TILE,
              places.parts);
          lane.launchWithLast(
              mergeStrings,
              tiles(n),
              all,
              keys[from],
              values[from],
              keys[to],
              values[to],
              n,
              width,
              places.parts);
        });
  }
}
