package io.kmodel.indexer.run;

import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.postings.IntBlock;
import io.kmodel.indexer.index.postings.OffsetCodec;
import io.kmodel.indexer.run.RunTail.LongList;
import io.kmodel.indexer.store.ByteReader;
import java.io.IOException;
import java.util.Arrays;

/**
 * Reads the lists of a run file in one range of term keys (see {@link RunWriter} for the format).
 * Checks everything against the statistics, so that altered bytes cause an error and never an
 * impossible document, frequency or number of positions. Memory: the reader's buffer, an {@link
 * IntBlock}, three blocks of ints, two more with offsets, and 2¼ times the longest term. Not
 * thread-safe.
 */
final class RunCursor implements PostingsCursor {
  private final ByteReader in;
  private final RunTail tail;
  private final TermBounds bounds;
  private final IntBlock block = new IntBlock();
  private final OffsetCodec offsets = new OffsetCodec(block);

  /** For documents that are skipped. */
  private final int[] skippedDocs = new int[BLOCK];

  private final int[] skippedFreqs = new int[BLOCK];

  /** Columns of offsets; empty until a list has offsets. */
  private int[] starts = {};

  private int[] lengths = {};

  private byte[] term = new byte[64];
  private int termLength = -1;
  private byte[] lastTerm = new byte[64];
  private int nextLongList;
  private boolean ended;

  private Detail detail = Detail.DOCUMENTS;

  /** The docFreq in the list's head; 0 for a long list. */
  private int headDocFreq;

  private int docFreq;
  private long totalTermFreq;

  private int docsLeft;
  private long occurrencesLeft;
  private long positionsLeft;
  private int lastDoc;

  RunCursor(ByteReader in, RunTail tail, int longListsBefore, TermBounds bounds) {
    this.in = in;
    this.tail = tail;
    this.nextLongList = longListsBefore;
    this.bounds = bounds;
  }

  @Override
  public boolean nextTerm() throws IOException {
    while (!ended) {
      skipList();
      if (in.remaining() == 0) {
        ended = true;
        break;
      }
      long offset = in.position();
      readKey();
      if (bounds.isBeyond(offset, term, termLength)) {
        ended = true;
        break;
      }
      readStatistics();
      if (!bounds.isBefore(term, termLength)) {
        return true;
      }
    }
    docsLeft = 0;
    positionsLeft = 0;
    return false;
  }

  @Override
  public byte[] term() {
    return term;
  }

  @Override
  public int termLength() {
    return termLength;
  }

  @Override
  public int docFreq() {
    return docFreq;
  }

  @Override
  public long totalTermFreq() {
    return totalTermFreq;
  }

  @Override
  public int nextDocs(int[] docs, int[] freqs) throws IOException {
    skipPositions();
    if (docsLeft == 0) {
      return 0;
    }
    int count = headDocFreq == 1 ? 1 : (in.readByte() & 0xFF) + 1;
    check(count <= docsLeft, "chunk of documents");
    if (count == BLOCK) {
      readBlock(docs, freqs);
    } else {
      readRest(docs, freqs, count);
    }
    check(lastDoc < tail.totals().documents(), "document");
    docsLeft -= count;
    long occurrences = 0;
    for (int i = 0; i < count; i++) {
      check(freqs[i] > 0, "frequency");
      occurrences += freqs[i];
    }
    occurrencesLeft -= occurrences;
    check(docsLeft == 0 ? occurrencesLeft == 0 : occurrencesLeft >= docsLeft, "frequencies");
    positionsLeft = detail.hasPositions() ? occurrences : 0;
    return count;
  }

  @Override
  public int nextPositions(int[] deltas) throws IOException {
    int count = (int) Math.min(positionsLeft, BLOCK);
    int bits = 0;
    if (detail.hasOffsets()) {
      bits = readOccurrences(deltas, count);
    } else if (count == BLOCK) {
      block.read(in, deltas);
      for (int i = 0; i < BLOCK; i++) {
        bits |= deltas[i];
      }
    } else {
      for (int i = 0; i < count; i++) {
        deltas[i] = in.readVInt();
        bits |= deltas[i];
      }
    }
    check(bits >= 0, "position");
    positionsLeft -= count;
    return count;
  }

  /** Returns the bitwise or of all values, which is negative if one of them is. */
  private int readOccurrences(int[] columns, int count) throws IOException {
    if (count == BLOCK) {
      return readBlockOfOccurrences(columns);
    }
    int bits = 0;
    offsets.startSingles();
    for (int i = 0; i < count; i++) {
      columns[i] = in.readVInt();
      columns[STARTS + i] = offsets.readStart(in);
      columns[LENGTHS + i] = offsets.length();
      bits |= columns[i] | columns[LENGTHS + i];
    }
    return bits;
  }

  private int readBlockOfOccurrences(int[] columns) throws IOException {
    if (starts.length == 0) {
      starts = new int[BLOCK];
      lengths = new int[BLOCK];
    }
    block.read(in, columns);
    int bits = offsets.readBlock(in, starts, lengths);
    for (int i = 0; i < BLOCK; i++) {
      bits |= columns[i];
    }
    System.arraycopy(starts, 0, columns, STARTS, BLOCK);
    System.arraycopy(lengths, 0, columns, LENGTHS, BLOCK);
    return bits;
  }

  /** Does not close the file, which belongs to the reader. */
  @Override
  public void close() {
    ended = true;
  }

  private void skipList() throws IOException {
    while (nextDocs(skippedDocs, skippedFreqs) > 0) {
      skipPositions();
    }
  }

  private void skipPositions() throws IOException {
    boolean withOffsets = detail.hasOffsets();
    for (; positionsLeft >= BLOCK; positionsLeft -= BLOCK) {
      IntBlock.skip(in);
      if (withOffsets) {
        OffsetCodec.skipBlock(in);
      }
    }
    for (; positionsLeft > 0; positionsLeft--) {
      in.readVInt();
      if (withOffsets) {
        offsets.readStart(in);
      }
    }
  }

  private void readKey() throws IOException {
    int shared = in.readVInt();
    int rest = in.readVInt();
    int available = Math.max(termLength, 0);
    check(shared >= 0 && shared <= available, "term key");
    check(rest > 0 && rest <= in.remaining(), "term key");
    check((long) shared + rest <= TermDictionary.MAX_TERM_BYTES + 1L, "term key");
    int length = shared + rest;
    byte[] swap = lastTerm;
    lastTerm = term;
    // Little slack: a merge has one such array per run, and terms may be long.
    term = swap.length >= length ? swap : new byte[length + length / 8];
    System.arraycopy(lastTerm, 0, term, 0, shared);
    in.readBytes(term, shared, rest);
    check(
        termLength < 0
            || Arrays.compareUnsigned(term, shared, length, lastTerm, shared, termLength) > 0,
        "order of terms");
    termLength = length;
    check((term[0] & 0xFF) < tail.fields().size(), "field");
    detail = tail.fields().get(term[0] & 0xFF).detail();
  }

  private void readStatistics() throws IOException {
    headDocFreq = in.readVInt();
    docFreq = headDocFreq;
    if (docFreq == 0) {
      check(nextLongList < tail.lists().longLists().size(), "long list");
      LongList list = tail.lists().longLists().get(nextLongList++);
      docFreq = list.docFreq();
      totalTermFreq = list.totalTermFreq();
    } else {
      check(docFreq > 0 && docFreq <= tail.totals().documents(), "docFreq");
      totalTermFreq = docFreq + (detail.hasFrequencies() ? in.readVLong() : 0);
      check(totalTermFreq >= docFreq, "totalTermFreq");
    }
    docsLeft = docFreq;
    occurrencesLeft = totalTermFreq;
    positionsLeft = 0;
    lastDoc = -1;
  }

  private void readBlock(int[] docs, int[] freqs) throws IOException {
    block.read(in, docs);
    for (int i = 0; i < BLOCK; i++) {
      check(docs[i] >= 0 && docs[i] <= Integer.MAX_VALUE - 1 - lastDoc, "document");
      lastDoc += docs[i] + 1;
      docs[i] = lastDoc;
    }
    if (!detail.hasFrequencies()) {
      Arrays.fill(freqs, 0, BLOCK, 1);
      return;
    }
    block.read(in, freqs);
    for (int i = 0; i < BLOCK; i++) {
      freqs[i]++;
    }
  }

  private void readRest(int[] docs, int[] freqs, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      int value = in.readVInt();
      int gap = value;
      freqs[i] = 1;
      if (detail.hasFrequencies()) {
        gap = value >>> 1;
        if ((value & 1) == 0) {
          freqs[i] = in.readVInt() + 2;
        }
      }
      check(gap >= 0 && gap <= Integer.MAX_VALUE - 1 - lastDoc, "document");
      lastDoc += gap + 1;
      docs[i] = lastDoc;
    }
  }

  private void check(boolean holds, String what) throws IOException {
    if (!holds) {
      throw in.corrupt("impossible %s before offset %d".formatted(what, in.position()));
    }
  }
}
