package io.kmodel.indexer.inversion;

import java.lang.foreign.MemorySegment;

/**
 * Divides a block's memory for results of a device into pieces that start at pages, behind a page
 * for counters. Not thread-safe.
 */
final class ResultMemory {
  private static final int PAGE_BYTES = 4096;

  /** Pieces that lengths, records, long terms and lists take, each less than a page too many. */
  private static final int MOST_PIECES = 6;

  private final MemorySegment all;
  private long taken = PAGE_BYTES;

  ResultMemory(TextBlock block) {
    this.all = block.results();
  }

  /** Memory for results of so many bytes. */
  static long capacity(long bytes) {
    return bytes + MOST_PIECES * PAGE_BYTES;
  }

  /** The counters of a block. */
  static MemorySegment counters(TextBlock block) {
    return block.results().asSlice(0, PAGE_BYTES);
  }

  /** Whether a block has room for these pieces. */
  static boolean fits(TextBlock block, long... pieces) {
    long end = PAGE_BYTES;
    for (long bytes : pieces) {
      end += pages(bytes);
    }
    return end <= block.results().byteSize();
  }

  private static long pages(long bytes) {
    return (bytes + PAGE_BYTES - 1) & -PAGE_BYTES;
  }

  /** The next piece. */
  MemorySegment take(long bytes) {
    MemorySegment piece = all.asSlice(taken, bytes);
    taken += pages(bytes);
    return piece;
  }
}
