package io.kmodel.indexer.index.model;

import java.io.IOException;

/** Passes postings on to another consumer; a subclass watches or changes some of them. */
public abstract class ForwardingConsumer implements PostingsConsumer {
  private final PostingsConsumer to;

  protected ForwardingConsumer(PostingsConsumer to) {
    this.to = to;
  }

  @Override
  public void startTerm(byte[] term, int length) throws IOException {
    to.startTerm(term, length);
  }

  @Override
  public void docs(int[] docs, int[] freqs, int count) throws IOException {
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
