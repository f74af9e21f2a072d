package io.kmodel.indexer.run;

/** What became of a document that was added to a run. */
public enum Outcome {
  /** It is part of the run. */
  ADDED,
  /**
   * It is not part of the run, which is full: write the run if it has documents, reset, and add the
   * document again.
   */
  AGAIN,
  /** It fits no run of this memory; the run is as it was before. */
  TOO_LARGE
}
