package io.kmodel.indexer.indexing.merge;

import io.kmodel.indexer.index.model.PostingsConsumer;
import io.kmodel.indexer.indexing.report.BuildProgress;
import java.io.IOException;

/** Passes postings on, and signals progress from time to time. */
final class ProgressConsumer implements PostingsConsumer {
  /** Calls between two signals; a power of two. */
  private static final int CALLS = 1 << 10;

  private final PostingsConsumer to;
  private final BuildProgress progress;
  private int calls;

  ProgressConsumer(PostingsConsumer to, BuildProgress progress) {
    this.to = to;
    this.progress = progress;
  }

  private void count() {
    if ((++calls & (CALLS - 1)) == 0) {
      progress.beat();
    }
  }

  @Override
  public void startTerm(byte[] term, int length) throws IOException {
    count();
    to.startTerm(term, length);
  }

  @Override
  public void docs(int[] docs, int[] freqs, int count) throws IOException {
    count();
    to.docs(docs, freqs, count);
  }

  @Override
  public void positions(int[] deltas, int count) throws IOException {
    to.positions(deltas, count);
  }

  @Override
  public void finishTerm() throws IOException {
    to.finishTerm();
  }
}
