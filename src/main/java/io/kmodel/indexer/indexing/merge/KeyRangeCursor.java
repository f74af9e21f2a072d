package io.kmodel.indexer.indexing.merge;

import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.PostingsCursor;
import io.kmodel.indexer.index.terms.TermBlocks;
import io.kmodel.indexer.merge.TermRange;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Walks the terms of an index from one key up to another. Not thread-safe. */
final class KeyRangeCursor implements PostingsCursor {
  private final PostingsCursor all;

  /** The first key of the range, until it was reached; null for the first of all. */
  private byte @Nullable [] from;

  private final byte @Nullable [] to;
  private boolean isAtEnd;

  /** Starts at the block of the range's first key. */
  KeyRangeCursor(InvertedIndex index, TermRange range) throws IOException {
    this.from = range.from();
    this.to = range.to();
    long first = from == null ? 0 : index.content().termIndex().find(from, from.length);
    this.all =
        index.cursor(
            new TermBlocks(Math.max(0, first), index.content().termIndex().blocks(), 0), 0);
  }

  @Override
  public boolean nextTerm() throws IOException {
    isAtEnd = isAtEnd || !all.nextTerm();
    while (!isAtEnd && from != null && isBefore(from)) {
      isAtEnd = !all.nextTerm();
    }
    from = null;
    isAtEnd = isAtEnd || (to != null && !isBefore(to));
    return !isAtEnd;
  }

  private boolean isBefore(byte[] key) {
    return Arrays.compareUnsigned(all.term(), 0, all.termLength(), key, 0, key.length) < 0;
  }

  @Override
  public byte[] term() {
    return all.term();
  }

  @Override
  public int termLength() {
    return all.termLength();
  }

  @Override
  public int docFreq() {
    return all.docFreq();
  }

  @Override
  public long totalTermFreq() {
    return all.totalTermFreq();
  }

  @Override
  public int nextDocs(int[] docs, int[] freqs) throws IOException {
    return all.nextDocs(docs, freqs);
  }

  @Override
  public int nextPositions(int[] deltas) throws IOException {
    return all.nextPositions(deltas);
  }

  @Override
  public void close() throws IOException {
    all.close();
  }
}
