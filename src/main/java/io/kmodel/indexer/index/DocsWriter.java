package io.kmodel.indexer.index;

import io.kmodel.indexer.store.OutputFile;
import java.io.IOException;

/**
 * Writes {@code postings.docs}: per term of more than one document the documents, their
 * frequencies, and the skip table. Nothing depends on where in the file a term starts.
 *
 * <pre>
 * body  := term*
 * term  := block* tail [table]         blocks of 256 documents, then the rest
 * block := gaps [freqs]                both {@link IntBlock}s: gap - 1 to the document before, the
 *                                      first from -1; freq - 1, for fields with frequencies
 * tail  := (code:vint [freq - 2: vint])*     code = (gap - 1) &lt;&lt; 1 | (freq = 1)
 *        | (gap - 1: vint)*                  fields without frequencies
 * table := see {@link SkipTableWriter}; where there is a block
 * </pre>
 *
 * Example: documents 0 (once) and 5 (three times) are {@code 01 08 01}.
 *
 * <p>Memory: 10 KiB and the skip table. Not thread-safe.
 */
final class DocsWriter {
  private static final int BLOCK = PostingsCursor.BLOCK;

  private final OutputFile out;
  private final SkipTableWriter skips;
  private final IntBlock block = new IntBlock();

  /** Less one each; room for a block and a chunk. */
  private final int[] gaps = new int[2 * BLOCK];

  private final int[] freqs = new int[2 * BLOCK];

  /** Of the documents behind the last block, and room for one more. */
  private final int[] codes = new int[2 * BLOCK];

  private int pending;
  private boolean hasFreqs;
  private long start;
  private int docFreq;
  private long totalFreq;
  private long totalFreqOfBlocks;
  private int firstDoc;
  private int lastDoc;

  DocsWriter(OutputFile out, SkipTableWriter skips) {
    this.out = out;
    this.skips = skips;
  }

  void startTerm(Detail detail) {
    hasFreqs = detail.hasFrequencies();
    start = out.position();
    docFreq = 0;
    totalFreq = 0;
    totalFreqOfBlocks = 0;
    lastDoc = -1;
    pending = 0;
  }

  void add(int[] docs, int[] docFreqs, int count) throws IOException {
    if (docFreq == 0) {
      firstDoc = docs[0];
    }
    int signs = 0;
    int previous = lastDoc;
    for (int i = 0; i < count; i++) {
      int gap = docs[i] - previous - 1;
      signs |= gap | docs[i];
      gaps[pending + i] = gap;
      previous = docs[i];
    }
    if (signs < 0 || previous == PostingList.END) {
      throw new IllegalArgumentException(
          "documents must ascend from 0 to 2^31 - 2; after %d came %d to %d"
              .formatted(lastDoc, docs[0], previous));
    }
    lastDoc = previous;
    docFreq += count;
    addFreqs(docFreqs, count);
    pending += count;
    if (pending >= BLOCK) {
      flushBlock();
    }
  }

  private void addFreqs(int[] docFreqs, int count) {
    if (!hasFreqs) {
      totalFreq += count;
      return;
    }
    int signs = 0;
    long sum = 0;
    for (int i = 0; i < count; i++) {
      int more = docFreqs[i] - 1;
      signs |= more;
      sum += docFreqs[i];
      freqs[pending + i] = more;
    }
    if (signs < 0) {
      throw new IllegalArgumentException(
          "a frequency of the %d documents up to %d is not positive".formatted(count, lastDoc));
    }
    totalFreq += sum;
  }

  private void flushBlock() throws IOException {
    block.write(gaps, out);
    int left = pending - BLOCK;
    int last = lastDoc;
    for (int i = BLOCK; i < pending; i++) {
      last -= gaps[i] + 1;
    }
    totalFreqOfBlocks += BLOCK;
    if (hasFreqs) {
      block.write(freqs, out);
      for (int i = 0; i < BLOCK; i++) {
        totalFreqOfBlocks += freqs[i];
      }
    }
    skips.add(last, out.position() - start, totalFreqOfBlocks);
    System.arraycopy(gaps, BLOCK, gaps, 0, left);
    System.arraycopy(freqs, BLOCK, freqs, 0, left);
    pending = left;
  }

  /** Writes what comes after the full blocks. A term of one document leaves no bytes. */
  void finishTerm(boolean positional, long positionsTail) throws IOException {
    if (docFreq == 1) {
      return;
    }
    if (hasFreqs) {
      out.writeVInts(codes, encodeTail());
    } else {
      out.writeVInts(gaps, pending);
    }
    skips.write(out, positional, positionsTail);
  }

  /** Puts gaps and frequencies into codes; returns how many these are. */
  private int encodeTail() {
    int n = 0;
    for (int i = 0; i < pending; i++) {
      // Whether a document has a term once is hard to predict: no branch.
      int more = -freqs[i] >>> (Integer.SIZE - 1);
      codes[n++] = gaps[i] << 1 | (1 - more);
      codes[n] = freqs[i] - 1;
      n += more;
    }
    return n;
  }

  int docFreq() {
    return docFreq;
  }

  long totalFreq() {
    return totalFreq;
  }

  int firstDoc() {
    return firstDoc;
  }

  int lastDoc() {
    return lastDoc;
  }

  /** Bytes of the current term so far. */
  long bytes() {
    return out.position() - start;
  }
}
