package io.kmodel.indexer.index.postings;

import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.store.OutputFile;
import java.io.IOException;
import java.util.Arrays;

/**
 * Collects and writes one term's skip table. It has one fixed-width entry per full block of
 * documents, so that a reader finds a document's block by binary search without decoding anything.
 *
 * <pre>
 * table := entry* [positionsTail:p] widths:u16       widths = d | o &lt;&lt; 4 | p &lt;&lt; 8, in bytes
 * entry := lastDoc:d docsOffset:o [positionsOffset:p consumed:u8]
 * </pre>
 *
 * docsOffset is where the next block starts. positionsOffset is where the block of positions starts
 * that holds the next document's first position, after {@code consumed} others. positionsTail is
 * where the positions' last, partial block starts. All offsets count from the term's start. Parts
 * in brackets: fields with positions. Memory: 25 bytes per block of 256 documents of the longest
 * term. Not thread-safe.
 */
public final class SkipTableWriter {
  private int[] lastDocs = new int[16];
  private long[] docsOffsets = new long[16];
  private long[] positionsOffsets = new long[16];
  private byte[] consumed = new byte[16];
  private int count;

  /** Positions up to the end of the last block while their location is unknown, else -1. */
  private long unplaced = -1;

  public void clear() {
    count = 0;
    unplaced = -1;
  }

  /**
   * Adds a block of documents.
   *
   * @param positions number of the term's positions up to the block's end
   */
  void add(int lastDoc, long docsOffset, long positions) {
    if (count == lastDocs.length) {
      int size = Math.toIntExact(count + (long) (count >> 1));
      lastDocs = Arrays.copyOf(lastDocs, size);
      docsOffsets = Arrays.copyOf(docsOffsets, size);
      positionsOffsets = Arrays.copyOf(positionsOffsets, size);
      consumed = Arrays.copyOf(consumed, size);
    }
    lastDocs[count] = lastDoc;
    docsOffsets[count] = docsOffset;
    count++;
    unplaced = positions;
  }

  /**
   * Records that a block of positions starts at an offset. Must be called for every block, so that
   * the last entry is completed when its block of positions starts.
   */
  public void place(long positionsBlock, long positionsOffset) {
    if (unplaced >= 0 && unplaced / PostingsCursor.BLOCK == positionsBlock) {
      positionsOffsets[count - 1] = positionsOffset;
      consumed[count - 1] = (byte) (unplaced % PostingsCursor.BLOCK);
      unplaced = -1;
    }
  }

  /** Writes the table if the term has at least one full block; else writes nothing. */
  void write(OutputFile out, boolean positional, long positionsTail) throws IOException {
    if (count == 0) {
      return;
    }
    int d = width(lastDocs[count - 1]);
    int o = width(docsOffsets[count - 1]);
    int p = positional ? width(positionsTail) : 0;
    for (int i = 0; i < count; i++) {
      writeFixed(out, lastDocs[i], d);
      writeFixed(out, docsOffsets[i], o);
      if (positional) {
        writeFixed(out, positionsOffsets[i], p);
        out.writeByte(consumed[i]);
      }
    }
    writeFixed(out, positionsTail, p);
    writeFixed(out, d | o << 4 | p << 8, 2);
  }

  /** The number of bytes needed for a number, at least one. */
  static int width(long value) {
    return Math.max(1, (Long.SIZE - Long.numberOfLeadingZeros(value) + 7) / 8);
  }

  private static void writeFixed(OutputFile out, long value, int bytes) throws IOException {
    for (int i = 0; i < bytes; i++) {
      out.writeByte((int) (value >>> (8 * i)));
    }
  }
}
