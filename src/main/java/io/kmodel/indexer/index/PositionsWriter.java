package io.kmodel.indexer.index;

import io.kmodel.indexer.store.OutputFile;
import java.io.IOException;

/**
 * Writes {@code postings.positions}: per term the positions of all its occurrences as one stream.
 *
 * <pre>
 * body := term*
 * term := block* gap:vint*      {@link IntBlock}s of 256 gaps, then the rest; per document the
 *                               first position, then gaps
 * </pre>
 *
 * Example: positions 4 and 9 in one document, 300 in the next are {@code 04 05 AC 02}.
 *
 * <p>Memory: 5 KiB. Not thread-safe.
 */
final class PositionsWriter {
  private static final int BLOCK = PostingsCursor.BLOCK;

  private final OutputFile out;
  private final IntBlock block = new IntBlock();
  private final int[] gaps = new int[2 * BLOCK];
  private int pending;
  private long start;
  private long blocks;
  private long blocksEnd;

  PositionsWriter(OutputFile out) {
    this.out = out;
  }

  void startTerm() {
    start = out.position();
    blocksEnd = 0;
    blocks = 0;
    pending = 0;
  }

  void add(int[] deltas, int count) throws IOException {
    int signs = 0;
    for (int i = 0; i < count; i++) {
      signs |= deltas[i];
    }
    if (signs < 0) {
      throw new IllegalArgumentException(
          "a position gap is negative, among %d after %d".formatted(count, count()));
    }
    System.arraycopy(deltas, 0, gaps, pending, count);
    pending += count;
    if (pending >= BLOCK) {
      block.write(gaps, out);
      pending -= BLOCK;
      System.arraycopy(gaps, BLOCK, gaps, 0, pending);
      blocks++;
      blocksEnd = out.position() - start;
    }
  }

  void finishTerm() throws IOException {
    for (int i = 0; i < pending; i++) {
      out.writeVInt(gaps[i]);
    }
  }

  /** Full blocks of the current term so far. */
  long blocks() {
    return blocks;
  }

  /** Where the next block of the current term starts, from the term's start. */
  long blocksEnd() {
    return blocksEnd;
  }

  /** Positions of the current term so far. */
  long count() {
    return blocks * BLOCK + pending;
  }

  /** Bytes of the current term so far. */
  long bytes() {
    return out.position() - start;
  }
}
