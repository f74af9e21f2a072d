package io.kmodel.indexer.index;

/** Is told from time to time how far a long piece of work is. */
@FunctionalInterface
public interface ProgressListener {
  /** For callers that do not want to know. */
  ProgressListener NONE = (done, total) -> {};

  /**
   * {@code done} of {@code total}, in a unit that the caller names; done never falls and ends at
   * total.
   */
  void progress(long done, long total);
}
