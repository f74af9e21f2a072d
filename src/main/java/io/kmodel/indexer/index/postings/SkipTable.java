package io.kmodel.indexer.index.postings;

import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.terms.TermEntry;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.store.InputFile;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Reads the skip tables of successive terms from the mapped file; see {@link SkipTableWriter} for
 * the grammar. Entry i describes the state after block i. Not thread-safe.
 */
public final class SkipTable {
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final int WIDTHS_BYTES = 2;

  private final InputFile file;
  private int blocks;
  private int docWidth;
  private int offsetWidth;
  private int positionWidth;
  private int entryBytes;
  private long start;
  private long dataBytes;
  private long positionsTail;

  SkipTable(InputFile file) {
    this.file = file;
  }

  void reset(TermEntry term, boolean positional) throws IOException {
    blocks = term.docFreq / PostingsCursor.BLOCK;
    positionsTail = -1;
    dataBytes = term.docsBytes;
    if (blocks == 0) {
      return;
    }
    long end = term.docsStart + term.docsBytes - WIDTHS_BYTES;
    long widths = end < file.bodyStart() ? 0 : fixed(end, WIDTHS_BYTES);
    docWidth = (int) (widths & 15);
    offsetWidth = (int) (widths >> 4 & 15);
    positionWidth = (int) (widths >> 8);
    entryBytes = docWidth + offsetWidth + (positional ? positionWidth + 1 : 0);
    long tableBytes = (long) blocks * entryBytes + positionWidth + WIDTHS_BYTES;
    dataBytes = term.docsBytes - tableBytes;
    if (docWidth < 1
        || docWidth > Integer.BYTES
        || offsetWidth < 1
        || offsetWidth > Long.BYTES
        || positionWidth > Long.BYTES
        || (positionWidth > 0) != positional
        || dataBytes < 0) {
      throw file.corrupt(
          "skip table of widths %#x for %d blocks in %d bytes before offset %d"
              .formatted(widths, blocks, term.docsBytes, end + WIDTHS_BYTES));
    }
    start = term.docsStart + dataBytes;
    if (positional) {
      positionsTail = fixed(end - positionWidth, positionWidth);
      if (positionsTail < 0 || positionsTail > term.positionsBytes) {
        throw outOfRange("positions", blocks, positionsTail, term.positionsBytes);
      }
    }
  }

  /** Full blocks of the term, which is also the number of entries. */
  int blocks() {
    return blocks;
  }

  /** Bytes of the term's documents before the table. */
  public long dataBytes() {
    return dataBytes;
  }

  /** Offset of the positions' partial block from the term's start, or -1 if not recorded. */
  public long positionsTail() {
    return positionsTail;
  }

  public int lastDoc(int block) throws IOException {
    long doc = fixed(entry(block), docWidth);
    if (doc >= PostingList.END) {
      throw outOfRange("document", block, doc, PostingList.END - 1L);
    }
    return (int) doc;
  }

  /** Offset of the next block from the term's start. */
  public long docsOffset(int block) throws IOException {
    long offset = fixed(entry(block) + docWidth, offsetWidth);
    if (offset < 0 || offset > dataBytes) {
      throw outOfRange("documents", block, offset, dataBytes);
    }
    return offset;
  }

  /** Offset from the term's start of the block of positions that holds the next position. */
  public long positionsOffset(int block) throws IOException {
    long offset = fixed(entry(block) + docWidth + offsetWidth, positionWidth);
    if (offset < 0 || offset > positionsTail) {
      throw outOfRange("positions", block, offset, positionsTail);
    }
    return offset;
  }

  /** Positions of that block that belong to documents up to the end of this block. */
  public int consumed(int block) throws IOException {
    return (int) fixed(entry(block) + docWidth + offsetWidth + positionWidth, 1);
  }

  /**
   * The first block at or after {@code from} whose last document is at or above target, or
   * blocks().
   */
  public int find(int from, int target) throws IOException {
    int low = from;
    int step = 1;
    int high = from;
    while (high < blocks && lastDoc(high) < target) {
      low = high + 1;
      high += step;
      step = Math.min(step << 1, 1 << 20);
    }
    high = Math.min(high, blocks);
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (lastDoc(middle) < target) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private long entry(int block) {
    return start + (long) block * entryBytes;
  }

  /** Reads eight bytes and masks them; a file footer follows every table, so they always exist. */
  private long fixed(long offset, int bytes) throws IOException {
    return file.mapped(offset, bytes).get(LONG, offset) & (-1L >>> (Long.SIZE - 8 * bytes));
  }

  private CorruptIndexException outOfRange(String what, int block, long value, long most) {
    return file.corrupt(
        "skip entry %d at offset %d points to %s %d, expected at most %d"
            .formatted(block, entry(block), what, value, most));
  }
}
