package io.kmodel.indexer.sort.device;

/**
 * The order of a merge sort's launches: blocks sort tiles, then passes merge pairs of lists from
 * one of two buffers into the other, and the last one writes into buffer 0.
 */
final class MergePasses {
  /** Threads of a block that cuts the lists of a pass, one for each tile. */
  static final int PART_THREADS = 128;

  /** Sorts each tile of buffer 0 into a buffer. */
  @FunctionalInterface
  interface SortTiles {
    void into(int buffer);
  }

  /** Merges pairs of lists of so many items from a buffer into the other one. */
  @FunctionalInterface
  interface MergeLists {
    void from(int buffer, long width);
  }

  private MergePasses() {}

  static void run(long n, long tile, SortTiles sort, MergeLists merge) {
    if (n == 0) {
      return;
    }
    int passes = 0;
    for (long width = tile; width < n; width *= 2) {
      passes++;
    }
    int buffer = passes % 2;
    sort.into(buffer);
    for (long width = tile; width < n; width *= 2) {
      merge.from(buffer, width);
      buffer = 1 - buffer;
    }
  }

  /** Blocks that cut the lists of so many tiles. */
  static long partBlocks(long tiles) {
    return Math.ceilDiv(tiles, (long) PART_THREADS);
  }
}
