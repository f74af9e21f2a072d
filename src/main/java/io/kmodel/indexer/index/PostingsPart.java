package io.kmodel.indexer.index;

import java.io.IOException;

/** One range of an index's terms, being written to temporary files. */
@SuppressWarnings("DoNotCallSuggester")
public final class PostingsPart implements PostingsConsumer, AutoCloseable {
  PostingsPart() {}

  @Override
  public void startTerm(byte[] term, int length) throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public void docs(int[] docs, int[] freqs, int count) throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public void positions(int[] deltas, int count) throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public void finishTerm() throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Deletes the part's files, unless they were appended. */
  @Override
  public void close() throws IOException {}
}
