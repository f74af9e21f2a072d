package io.kmodel.indexer.inversion;

import java.lang.foreign.MemorySegment;

/**
 * Decodes the positions of lists of Lucene104PostingsFormat, list after list, and adds them up.
 *
 * <p>With S(i) as the sum of the first i gaps of a list, the position of gap i of a document whose
 * first gap is f is S(i + 1) − S(f). So all S are added up without regard to documents, and for
 * each document S(f) times its frequency is subtracted. A gap may be zero only where a document
 * starts: there must be as many zeros in all as there are at these places. Memory: 22 KiB. Not
 * thread-safe.
 */
final class PackedPositions {
  private static final int BLOCK = BlockUnpacking.SIZE;

  private final PackedBytes bytes;
  private final BlockUnpacking unpacking;
  private final int[] gaps = new int[BLOCK];

  /** Sums of the list's gaps before each gap of the block, and before the next block. */
  private final long[] sums = new long[BLOCK + 1];

  /** Gaps of the list that are not decoded yet. */
  private long left;

  /** Gaps of the block, and the one where the next document starts. */
  private int count;

  private int next;

  /** Where the list starts, and where the block does. */
  private long listStart;

  private long blockStart;

  /** Of all lists. */
  private long sum;

  private long zeros;
  private int signs;

  PackedPositions(MemorySegment positions, BlockUnpacking unpacking) {
    this.bytes = new PackedBytes(positions);
    this.unpacking = unpacking;
  }

  /** Starts a list of so many positions. */
  void start(long total) {
    left = total;
    count = 0;
    next = 0;
    sums[0] = 0;
    listStart = bytes.place();
    blockStart = listStart;
  }

  /**
   * Adds the positions of the next documents.
   *
   * @param freqs positive
   */
  void add(int[] freqs, int documents) {
    long subtracted = 0;
    long starts = 0;
    int at = next;
    for (int i = 0; i < documents; i++) {
      if (at == count) {
        read();
        at = 0;
      }
      long freq = freqs[i];
      starts += isZero(gaps[at]);
      subtracted += freq * sums[at];
      long end = at + freq;
      while (end > count) {
        end -= count;
        read();
      }
      at = (int) end;
    }
    next = at;
    zeros -= starts;
    sum -= subtracted;
  }

  /** Reads the next block. */
  private void read() {
    if (left <= 0) {
      throw new IndexOutOfBoundsException();
    }
    long running = sums[count];
    int size = (int) Math.min(BLOCK, left);
    left -= size;
    count = size;
    blockStart = bytes.place();
    if (size == BLOCK) {
      bytes.nextPatched(unpacking, gaps);
    } else {
      bytes.nextVariables(gaps, size);
    }
    long all = 0;
    int found = 0;
    int or = 0;
    for (int i = 0; i < size; i++) {
      int gap = gaps[i];
      or |= gap;
      found += isZero(gap);
      sums[i] = running;
      running += gap;
      all += running;
    }
    sums[size] = running;
    sum += all;
    zeros += found;
    signs |= or;
  }

  /** One if a number that is not negative is zero, otherwise zero. */
  private static int isZero(int gap) {
    return (gap - 1) >>> (Integer.SIZE - 1);
  }

  /** The place of the next document in its block. */
  int inBlock() {
    return next % BLOCK;
  }

  /** The end of the full blocks up to the next document, from the start of the list. */
  long fullBytes() {
    return (next == BLOCK ? bytes.place() : blockStart) - listStart;
  }

  /** Whether all positions of the list were added. */
  boolean isComplete() {
    return left == 0 && next == count;
  }

  /** Whether the positions of all documents so far ascend. */
  boolean ascend() {
    return zeros == 0 && signs >= 0;
  }

  /** The sum of all positions so far. */
  long sum() {
    return sum;
  }

  long place() {
    return bytes.place();
  }

  boolean isAtEnd() {
    return bytes.isAtEnd();
  }
}
