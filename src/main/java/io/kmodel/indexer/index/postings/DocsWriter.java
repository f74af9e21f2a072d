package io.kmodel.indexer.index.postings;

import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.store.OutputFile;
import java.io.IOException;

/**
 * Writes {@code postings.docs}: for each term in more than one document its documents, their
 * frequencies, and the skip table. A term's bytes do not depend on its position in the file.
 *
 * <pre>
 * body  := term*
 * term  := block* tail [table]         blocks of 256 documents, then the remaining ones
 * block := gaps [freqs]                both {@link IntBlock}s: gap - 1 to the previous document,
 *                                      the first from -1; freq - 1, for fields with frequencies
 * tail  := (code:vint [freq - 2: vint])*     code = (gap - 1) &lt;&lt; 1 | (freq = 1)
 *        | (gap - 1: vint)*                  fields without frequencies
 * table := see {@link SkipTableWriter}; present if there is a block
 * </pre>
 *
 * Example: documents 0 (once) and 5 (three times) are {@code 01 08 01}.
 *
 * <p>Memory: 10 KiB and the skip table. Not thread-safe.
 */
public final class DocsWriter {
  private static final int BLOCK = PostingsCursor.BLOCK;

  private final OutputFile out;
  private final SkipTableWriter skips;
  private final IntBlock block = new IntBlock();

  /** gap - 1 each; holds a block and a chunk. */
  private final int[] gaps = new int[2 * BLOCK];

  private final int[] freqs = new int[2 * BLOCK];

  /** Codes of the documents after the last full block; has room for one extra. */
  private final int[] codes = new int[2 * BLOCK];

  private int pending;
  private boolean hasFreqs;
  private long start;
  private int docFreq;
  private long totalFreq;
  private long totalFreqOfBlocks;
  private int firstDoc;
  private int lastDoc;

  public DocsWriter(OutputFile out, SkipTableWriter skips) {
    this.out = out;
    this.skips = skips;
  }

  public void startTerm(Detail detail) {
    hasFreqs = detail.hasFrequencies();
    start = out.position();
    docFreq = 0;
    totalFreq = 0;
    totalFreqOfBlocks = 0;
    lastDoc = -1;
    pending = 0;
  }

  public void add(int[] docs, int[] docFreqs, int count) throws IOException {
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
          "one of the frequencies of the %d documents up to %d is not positive"
              .formatted(count, lastDoc));
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

  /** Writes what follows the full blocks. A term in one document writes nothing. */
  public void finishTerm(boolean positional, long positionsTail) throws IOException {
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

  /** Encodes gaps and frequencies into codes; returns the number of codes. */
  private int encodeTail() {
    int n = 0;
    for (int i = 0; i < pending; i++) {
      // Branch-free: whether a frequency is 1 is hard to predict.
      int more = -freqs[i] >>> (Integer.SIZE - 1);
      codes[n++] = gaps[i] << 1 | (1 - more);
      codes[n] = freqs[i] - 1;
      n += more;
    }
    return n;
  }

  public int docFreq() {
    return docFreq;
  }

  public long totalFreq() {
    return totalFreq;
  }

  public int firstDoc() {
    return firstDoc;
  }

  public int lastDoc() {
    return lastDoc;
  }

  /** Bytes of the current term written so far. */
  public long bytes() {
    return out.position() - start;
  }
}
