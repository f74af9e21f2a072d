package io.kmodel.indexer.build;

import io.kmodel.indexer.index.PostingsConsumer;
import java.io.IOException;

/** Passes postings on, and signals progress from time to time. */
final class BeatingConsumer implements PostingsConsumer {
  /** Calls between two signals; a power of two. */
  private static final int CALLS = 1 << 10;

  private final PostingsConsumer to;
  private final BuildProgress progress;
  private int calls;

  BeatingConsumer(PostingsConsumer to, BuildProgress progress) {
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
