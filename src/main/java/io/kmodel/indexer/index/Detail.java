package io.kmodel.indexer.index;

/** What is recorded of a term's occurrences, each level including the ones before it. */
public enum Detail {
  /** Nothing: the field has no terms, and only its text can be read back. */
  NONE,
  /** Which documents hold the term; every frequency reads as 1. */
  DOCUMENTS,
  /** And how often. */
  FREQUENCIES,
  /** And at which token positions. */
  POSITIONS;

  /** Whether the field has terms. */
  public boolean isIndexed() {
    return this != NONE;
  }

  public boolean hasFrequencies() {
    return this == FREQUENCIES || this == POSITIONS;
  }

  public boolean hasPositions() {
    return this == POSITIONS;
  }
}
