package io.kmodel.indexer.run;

/** The result of adding a document to a run. */
public enum Outcome {
  /** The document is part of the run. */
  ADDED,
  /**
   * The run is full and does not contain the document: write the run if it has documents, reset,
   * and add the document again.
   */
  RUN_FULL,
  /** The document does not fit an empty run of this memory. The run is unchanged. */
  TOO_LARGE
}
