package io.kmodel.indexer.inversion;

import io.kmodel.indexer.index.model.PostingsCursor;
import java.io.IOException;
import java.util.Arrays;

/** Two streams of postings as one; they have no field in common. Not thread-safe. */
final class FieldsCursor implements PostingsCursor {
  private final PostingsCursor first;
  private final PostingsCursor second;

  /** Whether each has a term that has not been passed; before the first term they have none. */
  private boolean firstHas;

  private boolean secondHas;
  private boolean started;

  /** The one with the current term. */
  private PostingsCursor current;

  FieldsCursor(PostingsCursor first, PostingsCursor second) {
    this.first = first;
    this.second = second;
    this.current = first;
  }

  @Override
  public boolean nextTerm() throws IOException {
    if (!started) {
      started = true;
      firstHas = first.nextTerm();
      secondHas = second.nextTerm();
    } else if (current == first) {
      firstHas = first.nextTerm();
    } else {
      secondHas = second.nextTerm();
    }
    current = firstHas && (!secondHas || isFirstBefore()) ? first : second;
    return firstHas || secondHas;
  }

  private boolean isFirstBefore() {
    return Arrays.compareUnsigned(
            first.term(), 0, first.termLength(), second.term(), 0, second.termLength())
        < 0;
  }

  @Override
  public byte[] term() {
    return current.term();
  }

  @Override
  public int termLength() {
    return current.termLength();
  }

  @Override
  public int docFreq() {
    return current.docFreq();
  }

  @Override
  public long totalTermFreq() {
    return current.totalTermFreq();
  }

  @Override
  public int nextDocs(int[] docs, int[] freqs) throws IOException {
    return current.nextDocs(docs, freqs);
  }

  @Override
  public int nextPositions(int[] deltas) throws IOException {
    return current.nextPositions(deltas);
  }

  @Override
  public void close() throws IOException {
    try (first) {
      second.close();
    }
  }
}
