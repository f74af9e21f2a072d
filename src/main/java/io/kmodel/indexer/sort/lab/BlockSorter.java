package io.kmodel.indexer.sort.lab;

import io.kmodel.indexer.memory.OffHeap;
import java.util.Arrays;

/**
 * Sorts blocks in the cache (Satish et al., section 5.2.1, step 1, first phase): first tiles in
 * registers; then each pass doubles the length of runs, alternating between two arrays. Memory is
 * read once and written once. Heap: 16 bytes per key of a block. For one thread.
 */
final class BlockSorter {
  /** Keys of a block: two arrays of 256 KiB are half of an L2 cache of 1 MiB. */
  static final int BLOCK = 1 << 15;

  /** Greater than any key. */
  static final long SENTINEL = Long.MAX_VALUE;

  private static final int STRIDE = BitonicMerge.STRIDE;
  private static final int HELD = STRIDE;
  private static final int FIRST = 2 * STRIDE;

  /** A stride of sentinels, the stride held back, the block, and room for the block again. */
  private final long[] space;

  private final TwoLists lists = new TwoLists();
  private final int room;

  /** A sorter of blocks of at most so many keys. */
  BlockSorter(int most) {
    room = roundUp(most, BitonicMerge.TILE);
    space = new long[FIRST + 2 * room];
    Arrays.fill(space, 0, STRIDE, SENTINEL);
    lists.held = HELD;
  }

  /** Reads unsorted keys from an address and writes them, sorted, to another or the same. */
  void sort(long from, int count, long to) {
    OffHeap.copy(from, space, FIRST, count);
    int length = roundUp(count, BitonicMerge.TILE);
    Arrays.fill(space, FIRST + count, FIRST + length, SENTINEL);
    BitonicMerge.sortTiles(space, FIRST, FIRST + length);
    int source = FIRST;
    int target = FIRST + room;
    for (int run = BitonicMerge.TILE; run < length; run *= 2) {
      for (int at = 0; at < length; at += 2 * run) {
        mergeRuns(source + at, target + at, run, Math.min(2 * run, length - at));
      }
      int swap = source;
      source = target;
      target = swap;
    }
    OffHeap.copy(space, source, to, count);
  }

  /** Merges a run with the rest of {@code length} keys, which may be shorter or empty. */
  private void mergeRuns(int from, int to, int run, int length) {
    if (length <= run) {
      System.arraycopy(space, from, space, to, length);
      return;
    }
    System.arraycopy(space, from, space, HELD, STRIDE);
    lists.a = from + STRIDE;
    lists.aEnd = from + run;
    lists.b = from + run;
    lists.bEnd = from + length;
    lists.out = to;
    lists.outEnd = to + length;
    while (lists.out < lists.outEnd) {
      if (lists.a == lists.aEnd) {
        lists.a = 0;
        lists.aEnd = STRIDE;
      }
      if (lists.b == lists.bEnd) {
        lists.b = 0;
        lists.bEnd = STRIDE;
      }
      BitonicMerge.merge(space, lists);
    }
  }

  static int roundUp(int count, int unit) {
    return (count + unit - 1) / unit * unit;
  }
}
