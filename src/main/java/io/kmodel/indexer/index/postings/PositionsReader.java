package io.kmodel.indexer.index.postings;

import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.terms.TermEntry;
import io.kmodel.indexer.store.ByteReader;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.store.InputFile;
import java.io.IOException;

/**
 * Decodes the position gaps of successive terms, with their offsets if requested; see {@link
 * PositionsWriter} for the grammar. Skipped blocks are not decoded. Memory: the buffer and 5 KiB, 2
 * KiB more for offsets. Not thread-safe.
 */
public final class PositionsReader {
  private static final int BLOCK = PostingsCursor.BLOCK;

  private final ByteReader in;
  private final IntBlock intBlock = new IntBlock();
  private final OffsetCodec codec = new OffsetCodec(intBlock);
  private final int[] values = new int[BLOCK];

  /** Offsets of the values; allocated when first requested. */
  private int[] starts = {};

  private int[] lengths = {};

  /** Whether the term has offsets. */
  private boolean hasOffsets;

  private boolean wantsOffsets;

  private long start;
  private long bytes;
  private long fullBlocks;
  private int tailCount;

  /** Offset of the partial block, or -1 if it must be found by counting blocks. */
  private long tailOffset;

  /** Offset of the decoded block from the term's start. */
  private long blockOffset;

  /** Offset of the block after the decoded one. */
  private long nextOffset;

  /** Blocks before nextOffset; only maintained while tailOffset is unknown. */
  private long passed;

  private boolean ended;
  private int index;
  private int count;

  public PositionsReader(InputFile file, int bufferBytes) throws IOException {
    this.in = file.reader(bufferBytes);
  }

  /**
   * Moves to a term's first gap.
   *
   * @param detail what the term's field records
   * @param wanted whether to decode offsets if there are any
   */
  public void reset(TermEntry term, long positionsTail, Detail detail, boolean wanted) {
    hasOffsets = detail.hasOffsets();
    wantsOffsets = wanted && hasOffsets;
    if (wantsOffsets && starts.length == 0) {
      starts = new int[BLOCK];
      lengths = new int[BLOCK];
    }
    start = term.positionsStart;
    bytes = term.positionsBytes;
    fullBlocks = term.totalTermFreq / BLOCK;
    tailCount = (int) (term.totalTermFreq % BLOCK);
    tailOffset = positionsTail;
    seekStart();
  }

  void seekStart() {
    blockOffset = 0;
    nextOffset = 0;
    passed = 0;
    ended = false;
    index = 0;
    count = 0;
  }

  /** Moves to a position given by a skip table. */
  public void seek(long offset, int consumed) throws IOException {
    if (count == 0 || blockOffset != offset) {
      nextOffset = offset;
      ended = false;
      index = 0;
      count = 0;
      if (consumed == 0) {
        return;
      }
      load();
    }
    index = consumed;
    if (index > count) {
      throw exhausted();
    }
  }

  public void skip(long gaps) throws IOException {
    long left = gaps;
    while (left > count - index) {
      left -= count - index;
      index = 0;
      count = 0;
      if (left >= BLOCK && !atTail()) {
        in.seek(start + nextOffset);
        skipBlock();
        advance();
        left -= BLOCK;
      } else {
        load();
      }
    }
    index += (int) left;
  }

  /** Returns the next gap. */
  public int next() throws IOException {
    if (index == count) {
      load();
    }
    return values[index++];
  }

  /** The start's gap for the gap read last. */
  public int startGap() {
    return starts[index - 1];
  }

  /** The distance from that start to its end. */
  public int length() {
    return lengths[index - 1];
  }

  /** Reads 1 to {@code wanted} gaps, with offsets laid out as in {@link PostingsCursor}. */
  public int read(int[] target, long wanted) throws IOException {
    if (index == count) {
      load();
    }
    int n = (int) Math.min(wanted, count - index);
    System.arraycopy(values, index, target, 0, n);
    if (wantsOffsets) {
      System.arraycopy(starts, index, target, PostingsCursor.STARTS, n);
      System.arraycopy(lengths, index, target, PostingsCursor.LENGTHS, n);
    }
    index += n;
    return n;
  }

  /** Offset from the term's start of the next gap's block; at the end, that of the last block. */
  public long offset() {
    return blockIsRead() ? nextOffset : blockOffset;
  }

  /** Gaps of that block already read. */
  public int consumed() {
    return blockIsRead() ? 0 : index;
  }

  /** Whether all gaps and all bytes of the term were read. */
  public boolean atEnd() {
    return index == count && nextOffset == bytes && (ended || tailCount == 0);
  }

  private boolean blockIsRead() {
    return index == count && !ended;
  }

  private void load() throws IOException {
    boolean tail = atTail();
    blockOffset = nextOffset;
    in.seek(start + nextOffset);
    int signs = hasOffsets ? readWithOffsets(tail) : readGaps(tail);
    if (signs < 0) {
      throw in.corrupt("negative position gap or offset before offset " + in.position());
    }
    advance();
    ended = tail;
    index = 0;
    count = tail ? tailCount : BLOCK;
  }

  private int readGaps(boolean tail) throws IOException {
    if (!tail) {
      return readBlock(values);
    }
    int signs = 0;
    for (int i = 0; i < tailCount; i++) {
      values[i] = in.readVInt();
      signs |= values[i];
    }
    return signs;
  }

  private int readWithOffsets(boolean tail) throws IOException {
    if (!tail) {
      int signs = readBlock(values);
      if (wantsOffsets) {
        return signs | codec.readBlock(in, starts, lengths);
      }
      OffsetCodec.skipBlock(in);
      return signs;
    }
    int signs = 0;
    codec.startSingles();
    for (int i = 0; i < tailCount; i++) {
      values[i] = in.readVInt();
      int startGap = codec.readStart(in);
      signs |= values[i] | codec.length();
      if (wantsOffsets) {
        starts[i] = startGap;
        lengths[i] = codec.length();
      }
    }
    return signs;
  }

  /** Returns the bitwise OR of the values, negative if one of them is. */
  private int readBlock(int[] target) throws IOException {
    intBlock.read(in, target);
    int signs = 0;
    for (int i = 0; i < BLOCK; i++) {
      signs |= target[i];
    }
    return signs;
  }

  private void skipBlock() throws IOException {
    IntBlock.skip(in);
    if (hasOffsets) {
      OffsetCodec.skipBlock(in);
    }
  }

  /** Whether the next block is the partial one. */
  private boolean atTail() throws CorruptIndexException {
    boolean tail = tailOffset >= 0 ? nextOffset >= tailOffset : passed >= fullBlocks;
    if (ended || (tail && tailCount == 0)) {
      throw exhausted();
    }
    return tail;
  }

  private void advance() throws CorruptIndexException {
    nextOffset = in.position() - start;
    passed++;
    if (nextOffset > bytes) {
      throw in.corrupt(
          "positions of the term at offset %d reach %d, expected at most %d"
              .formatted(start, in.position(), start + bytes));
    }
  }

  private CorruptIndexException exhausted() {
    return in.corrupt(
        "the term at offset %d has fewer positions than its frequencies say".formatted(start));
  }
}
