package io.kmodel.indexer.indexing.merge;

import io.kmodel.indexer.index.model.ForwardingConsumer;
import io.kmodel.indexer.index.model.PostingsConsumer;
import io.kmodel.indexer.indexing.report.BuildProgress;
import java.io.IOException;

/** Passes postings on, and signals progress from time to time. */
final class ProgressConsumer extends ForwardingConsumer {
  /** Calls between two signals; a power of two. */
  private static final int CALLS = 1 << 10;

  private final BuildProgress progress;
  private int calls;

  ProgressConsumer(PostingsConsumer to, BuildProgress progress) {
    super(to);
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
    super.startTerm(term, length);
  }

  @Override
  public void docs(int[] docs, int[] freqs, int count) throws IOException {
    count();
    super.docs(docs, freqs, count);
  }
}
