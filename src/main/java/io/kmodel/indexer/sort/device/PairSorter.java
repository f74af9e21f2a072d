package io.kmodel.indexer.sort.device;

import io.kmodel.indexer.gpu.GpuKernel;
import java.util.List;

/**
 * Merge sort of unsigned keys of 4 or 8 bytes that have values of 4 bytes, in registers
 * (kernels/sorters/pairs.cu; Davidson, Tarjan, Garland and Owens, "Efficient Parallel Merge Sort
 * for Fixed and Variable Length Keys", 2012, section 3). Stable. Needs as much memory again as keys
 * and values.
 */
public final class PairSorter {
  private static final String BY_PATH = "pairs";
  private static final String BY_SEARCH = "pairs-search";

  private static final int THREADS = 256;

  private final int tile;
  private final GpuKernel sortPairs;
  private final GpuKernel partLists;
  private final GpuKernel mergePairs;

  private PairSorter(int keyBytes, int each, String kind, int sharedBytes) {
    this.tile = THREADS * each;
    this.sortPairs = new GpuKernel("sort_pairs_" + kind, THREADS, sharedBytes);
    this.partLists = MergeSorter.partLists(keyBytes);
    this.mergePairs = new GpuKernel("merge_pairs_" + kind, THREADS, sharedBytes);
  }

  public static List<String> names() {
    return List.of(BY_PATH, BY_SEARCH);
  }

  /**
   * Returns a sorter: {@code pairs}, whose threads find their keys by the path of the merge, or
   * {@code pairs-search}, which searches in two moving windows as in the paper.
   *
   * @param keyBytes 4 or 8
   * @throws IllegalArgumentException if there is no such sorter
   */
  public static PairSorter of(String name, int keyBytes) {
    boolean isWide = keyBytes == Long.BYTES;
    String kind = Kinds.of(keyBytes);
    return switch (name) {
      case BY_PATH -> new PairSorter(keyBytes, isWide ? 16 : 17, kind, isWide ? 52_224 : 34_816);
      case BY_SEARCH -> new PairSorter(keyBytes, 7, kind + "_search", isWide ? 21_504 : 14_336);
      default ->
          throw new IllegalArgumentException(
              "unknown sorter '%s' of keys with values; available: %s"
                  .formatted(name, String.join(", ", names())));
    };
  }

  public List<GpuKernel> kernels() {
    return List.of(sortPairs, partLists, mergePairs);
  }

  /** Keys that one block sorts. */
  int tile() {
    return tile;
  }

  private long tiles(long n) {
    return Math.ceilDiv(n, (long) tile);
  }

  /** Bytes of device memory besides keys, values and as much again. */
  public long scratchBytes(long n) {
    return tiles(n) * Long.BYTES;
  }

  /** Queues a sort. */
  public void sort(DeviceLane lane, DevicePairs pairs) {
    long n = pairs.count();
    long[] keys = {pairs.keys(), pairs.otherKeys()};
    long[] values = {pairs.values(), pairs.otherValues()};
    long parts = pairs.scratch();
    MergePasses.run(
        n,
        tile,
        to -> lane.launch(sortPairs, tiles(n), keys[0], values[0], keys[to], values[to], n),
        (from, width) -> {
          int to = 1 - from;
          long partBlocks = MergePasses.partBlocks(tiles(n));
          lane.launch(partLists, partBlocks, keys[from], n, width, tile, parts);
          lane.launch(
              mergePairs,
              tiles(n),
              keys[from],
              values[from],
              keys[to],
              values[to],
              n,
              width,
              parts);
        });
  }

  /**
   * Queues a sort of 8-byte keys that moves none far: their high bits are in order, and equal for
   * at most half a tile of them: two passes over tiles, the second from the middle of the first on.
   */
  void sortNear(DeviceLane lane, long keys, long values, long n) {
    for (long first = 0; first < n && first <= tile / 2; first += tile / 2) {
      long k = keys + first * Long.BYTES;
      long v = values + first * Integer.BYTES;
      lane.launch(sortPairs, tiles(n - first), k, v, k, v, n - first);
    }
  }
}
