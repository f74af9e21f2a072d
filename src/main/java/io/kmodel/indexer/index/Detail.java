package io.kmodel.indexer.index;

/** What is recorded of a term's occurrences, each level including the ones before it. */
public enum Detail {
  /** Which documents hold the term; every frequency reads as 1. */
  DOCUMENTS,
  /** And how often. */
  FREQUENCIES,
  /** And at which token positions. */
  POSITIONS;

  public boolean hasFrequencies() {
    return this != DOCUMENTS;
  }

  public boolean hasPositions() {
    return this == POSITIONS;
  }
}
