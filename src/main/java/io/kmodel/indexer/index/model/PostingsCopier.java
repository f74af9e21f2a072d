package io.kmodel.indexer.index.model;

import java.io.IOException;

/** Copies postings from a cursor to a consumer. Memory: five blocks. Not thread-safe. */
public final class PostingsCopier {
  private final int[] docs = new int[PostingsCursor.BLOCK];
  private final int[] freqs = new int[PostingsCursor.BLOCK];
  private final int[] deltas = new int[PostingsCursor.COLUMNS];

  /**
   * Passes all remaining terms of the cursor to the consumer.
   *
   * @return the number of postings (documents over all terms)
   */
  public long copy(PostingsCursor from, PostingsConsumer to) throws IOException {
    long postings = 0;
    while (from.nextTerm()) {
      to.startTerm(from.term(), from.termLength());
      for (int n = from.nextDocs(docs, freqs); n > 0; n = from.nextDocs(docs, freqs)) {
        to.docs(docs, freqs, n);
        for (int m = from.nextPositions(deltas); m > 0; m = from.nextPositions(deltas)) {
          to.positions(deltas, m);
        }
        postings += n;
      }
      to.finishTerm();
    }
    return postings;
  }
}
