package io.kmodel.indexer.run;

import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.postings.IntBlock;
import io.kmodel.indexer.index.postings.OffsetCodec;
import io.kmodel.indexer.store.OutputFile;
import java.io.IOException;

/**
 * Encodes the chunks of lists, one list after the other (see {@link RunWriter} for the format).
 * Memory: two blocks of ints and an {@link IntBlock}, and with offsets two more blocks. Not
 * thread-safe.
 */
final class ListEncoder {
  private static final int BLOCK = PostingsCursor.BLOCK;

  private final OutputFile out;
  private final IntBlock block = new IntBlock();
  private final OffsetCodec offsets = new OffsetCodec(block);
  private final int[] values = new int[BLOCK];

  /** Positions that do not fill a block yet. */
  private final int[] waiting = new int[BLOCK];

  /** Their gaps of starts, and their lengths; empty arrays until a list has offsets. */
  private int[] waitingStarts = {};

  private int[] waitingLengths = {};

  private Detail detail = Detail.DOCUMENTS;
  private boolean counted;
  private int lastDoc;
  private int waitingCount;

  ListEncoder(OutputFile out) {
    this.out = out;
  }

  /**
   * Starts a list.
   *
   * @param counted whether chunks start with their number of documents; otherwise it is one
   */
  void start(Detail detail, boolean counted) {
    this.detail = detail;
    this.counted = counted;
    this.lastDoc = -1;
    if (detail.hasOffsets() && waitingStarts.length == 0) {
      waitingStarts = new int[BLOCK];
      waitingLengths = new int[BLOCK];
    }
  }

  /** Encodes the documents of a chunk; its positions follow. */
  void docs(int[] docs, int docsAt, int[] freqs, int freqsAt, int count) throws IOException {
    finishChunk();
    if (counted) {
      out.writeByte(count - 1);
    }
    if (count == BLOCK) {
      blockOfDocs(docs, docsAt, freqs, freqsAt);
      return;
    }
    for (int i = 0; i < count; i++) {
      int gap = docs[docsAt + i] - lastDoc - 1;
      lastDoc = docs[docsAt + i];
      if (!detail.hasFrequencies()) {
        out.writeVInt(gap);
        continue;
      }
      int freq = freqs[freqsAt + i];
      out.writeVInt(gap << 1 | (freq == 1 ? 1 : 0));
      if (freq > 1) {
        out.writeVInt(freq - 2);
      }
    }
  }

  /** Encodes positions of the chunk. */
  void positions(int[] deltas, int from, int count) throws IOException {
    int at = from;
    int left = count;
    while (left > 0) {
      int n = Math.min(left, BLOCK - waitingCount);
      System.arraycopy(deltas, at, waiting, waitingCount, n);
      waitingCount += n;
      at += n;
      left -= n;
      if (waitingCount == BLOCK) {
        block.write(waiting, out);
        waitingCount = 0;
      }
    }
  }

  /** Encodes positions of the chunk with their offsets, three ints each. */
  void occurrences(int[] triples, int from, int count) throws IOException {
    int at = from;
    for (int i = 0; i < count; i++) {
      waiting[waitingCount] = triples[at];
      waitingStarts[waitingCount] = triples[at + 1];
      waitingLengths[waitingCount] = triples[at + 2];
      at += 3;
      if (++waitingCount == BLOCK) {
        block.write(waiting, out);
        offsets.writeBlock(waitingStarts, waitingLengths, out);
        waitingCount = 0;
      }
    }
  }

  /** Encodes the rest of the chunk. */
  void finishChunk() throws IOException {
    if (detail.hasOffsets()) {
      offsets.writeSingles(waiting, waitingStarts, waitingLengths, waitingCount, out);
    } else {
      out.writeVInts(waiting, waitingCount);
    }
    waitingCount = 0;
  }

  private void blockOfDocs(int[] docs, int docsAt, int[] freqs, int freqsAt) throws IOException {
    for (int i = 0; i < BLOCK; i++) {
      values[i] = docs[docsAt + i] - lastDoc - 1;
      lastDoc = docs[docsAt + i];
    }
    block.write(values, out);
    if (detail.hasFrequencies()) {
      for (int i = 0; i < BLOCK; i++) {
        values[i] = freqs[freqsAt + i] - 1;
      }
      block.write(values, out);
    }
  }
}
