package io.kmodel.indexer.index.postings;

import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.store.OutputFile;
import java.io.IOException;

/**
 * Writes {@code postings.positions}: for each term the positions of all its occurrences as one
 * stream, with their offsets if the field has offsets.
 *
 * <pre>
 * body := term*
 * term := block* gap:vint*      {@link IntBlock}s of 256 gaps, then the remaining ones; per
 *                               document the first position, then gaps
 *       | (block offsets)* (gap:vint offset)*
 *                               with offsets, see {@link OffsetCodec}; per document the first
 *                               start, then gaps of starts; an end is stored as a length
 * </pre>
 *
 * Example: positions 4 and 9 in one document and 300 in the next are {@code 04 05 AC 02}. The first
 * of them with offsets 20 to 25 is {@code 04 29 05}.
 *
 * <p>Memory: 6 KiB, 4 KiB more with offsets. Not thread-safe.
 */
public final class PositionsWriter {
  private static final int BLOCK = PostingsCursor.BLOCK;

  private final OutputFile out;
  private final IntBlock block = new IntBlock();
  private final OffsetCodec codec = new OffsetCodec(block);
  private final int[] gaps = new int[2 * BLOCK];

  /** Allocated when a term first has offsets. */
  private int[] starts = {};

  private int[] lengths = {};
  private boolean offsets;
  private int pending;
  private long start;
  private long blocks;
  private long blocksEnd;

  public PositionsWriter(OutputFile out) {
    this.out = out;
  }

  public void startTerm(Detail detail) {
    start = out.position();
    blocksEnd = 0;
    blocks = 0;
    pending = 0;
    offsets = detail.hasOffsets();
    if (offsets && starts.length == 0) {
      starts = new int[2 * BLOCK];
      lengths = new int[2 * BLOCK];
    }
  }

  public void add(int[] deltas, int count) throws IOException {
    int signs = signs(deltas, 0, count);
    if (offsets) {
      signs |= signs(deltas, PostingsCursor.STARTS, count);
      signs |= signs(deltas, PostingsCursor.LENGTHS, count);
    }
    if (signs < 0) {
      throw new IllegalArgumentException(
          "negative position gap or offset among %d values after the first %d"
              .formatted(count, count()));
    }
    System.arraycopy(deltas, 0, gaps, pending, count);
    if (offsets) {
      System.arraycopy(deltas, PostingsCursor.STARTS, starts, pending, count);
      System.arraycopy(deltas, PostingsCursor.LENGTHS, lengths, pending, count);
    }
    pending += count;
    if (pending >= BLOCK) {
      writeBlock();
    }
  }

  private static int signs(int[] values, int from, int count) {
    int signs = 0;
    for (int i = 0; i < count; i++) {
      signs |= values[from + i];
    }
    return signs;
  }

  private void writeBlock() throws IOException {
    block.write(gaps, out);
    pending -= BLOCK;
    System.arraycopy(gaps, BLOCK, gaps, 0, pending);
    if (offsets) {
      codec.writeBlock(starts, lengths, out);
      System.arraycopy(starts, BLOCK, starts, 0, pending);
      System.arraycopy(lengths, BLOCK, lengths, 0, pending);
    }
    blocks++;
    blocksEnd = out.position() - start;
  }

  public void finishTerm() throws IOException {
    if (offsets) {
      codec.writeSingles(gaps, starts, lengths, pending, out);
    } else {
      out.writeVInts(gaps, pending);
    }
  }

  /** Full blocks of the current term written so far. */
  public long blocks() {
    return blocks;
  }

  /** Offset of the current term's next block from the term's start. */
  public long blocksEnd() {
    return blocksEnd;
  }

  /** Positions of the current term added so far. */
  public long count() {
    return blocks * BLOCK + pending;
  }

  /** Bytes of the current term written so far. */
  public long bytes() {
    return out.position() - start;
  }
}
