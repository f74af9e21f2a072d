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
  POSITIONS,
  /** And where in the text, as highlighters want it. */
  OFFSETS;

  /** Whether the field has terms. */
  public boolean isIndexed() {
    return this != NONE;
  }

  public boolean hasFrequencies() {
    return this == FREQUENCIES || hasPositions();
  }

  public boolean hasPositions() {
    return this == POSITIONS || this == OFFSETS;
  }

  /**
   * Whether every occurrence has the offsets in the field's text at which it starts and ends, in
   * UTF-16 units, as Lucene counts.
   */
  public boolean hasOffsets() {
    return this == OFFSETS;
  }
}
