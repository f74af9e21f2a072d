package io.kmodel.indexer.index.model;

/** Receives the progress of a long task. */
@FunctionalInterface
public interface ProgressListener {
  /** Ignores all progress. */
  ProgressListener NONE = (done, total) -> {};

  /**
   * Reports {@code done} of {@code total}, in a unit that the caller documents. {@code done} never
   * decreases and ends at {@code total}.
   */
  void progress(long done, long total);
}
