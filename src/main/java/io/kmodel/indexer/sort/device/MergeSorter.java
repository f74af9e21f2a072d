package io.kmodel.indexer.sort.device;

import io.kmodel.indexer.gpu.GpuKernel;
import java.util.List;

/**
 * Merge sort in registers, two lists at a time (kernels/sorters/merge.cuh): a thread finds its keys
 * by the path of the merge (Green, McColl and Bader), or each key finds its place in the other list
 * by search in two moving windows (Davidson et al., section 3); both are stable. Or threads merge
 * by bitonic networks (Satish et al., section 5.3; kernels/sorters/bitonic_merge.cuh), which is
 * not.
 */
final class MergeSorter implements DeviceSorter {
  private static final int THREADS = 256;

  private final int tile;
  private final GpuKernel sortLists;
  private final GpuKernel partLists;
  private final GpuKernel mergeLists;

  private MergeSorter(int keyBytes, int tile, int sharedBytes, String kind) {
    this.tile = tile;
    this.sortLists = new GpuKernel("sort_lists_" + kind, THREADS, sharedBytes);
    this.partLists = partLists(keyBytes);
    this.mergeLists = new GpuKernel("merge_lists_" + kind, THREADS, sharedBytes);
  }

  /** Cuts sorted lists of keys where tiles of merged ones begin. */
  static GpuKernel partLists(int keyBytes) {
    return new GpuKernel("part_lists_" + Kinds.of(keyBytes), MergePasses.PART_THREADS, 0);
  }

  static MergeSorter byPath(int keyBytes) {
    return inRegisters(keyBytes, keyBytes == Long.BYTES ? 16 : 17, Kinds.of(keyBytes));
  }

  static MergeSorter bySearch(int keyBytes) {
    return inRegisters(keyBytes, keyBytes == Long.BYTES ? 9 : 16, Kinds.of(keyBytes) + "_search");
  }

  /** An even number of keys is padded by one for each thread. */
  private static MergeSorter inRegisters(int keyBytes, int each, String kind) {
    int tile = THREADS * each;
    return new MergeSorter(
        keyBytes, tile, keyBytes * (each % 2 == 0 ? tile + THREADS : tile), kind);
  }

  static MergeSorter byNetworks(int keyBytes) {
    int tile = keyBytes == Long.BYTES ? 4096 : 8192;
    return new MergeSorter(keyBytes, tile, keyBytes * tile, Kinds.of(keyBytes) + "_bitonic");
  }

  @Override
  public List<GpuKernel> kernels() {
    return List.of(sortLists, partLists, mergeLists);
  }

  private long tiles(long n) {
    return Math.ceilDiv(n, (long) tile);
  }

  @Override
  public long scratchBytes(long n) {
    return tiles(n) * Long.BYTES;
  }

  @Override
  public void sort(DeviceLane lane, DeviceKeys keys) {
    long n = keys.count();
    long[] buffers = {keys.address(), keys.other()};
    long parts = keys.scratch();
    MergePasses.run(
        n,
        tile,
        to -> lane.launch(sortLists, tiles(n), keys.address(), buffers[to], n),
        (from, width) -> mergeOnce(lane, buffers[from], buffers[1 - from], n, width, parts));
  }

  /**
   * Merges pairs of sorted lists into other memory.
   *
   * @param width keys of a list: a multiple of the tile, or else there is one pair
   * @param parts as much memory as {@link #scratchBytes}
   */
  void mergeOnce(DeviceLane lane, long from, long to, long n, long width, long parts) {
    lane.launch(partLists, MergePasses.partBlocks(tiles(n)), from, n, width, tile, parts);
    lane.launch(mergeLists, tiles(n), from, to, n, width, parts);
  }
}
