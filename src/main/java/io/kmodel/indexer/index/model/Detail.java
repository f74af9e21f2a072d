package io.kmodel.indexer.index.model;

/** What is recorded of a term's occurrences; each level includes those before it. */
public enum Detail {
  /** Nothing: the field has no terms; only its stored text can be read. */
  NONE,
  /** The documents that hold the term; every frequency reads as 1. */
  DOCUMENTS,
  /** Also the number of occurrences per document. */
  FREQUENCIES,
  /** Also the token positions. */
  POSITIONS,
  /** Also the offsets in the text, for highlighting. */
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
   * Whether every occurrence has start and end offsets in the field's text, in UTF-16 units like
   * Lucene's.
   */
  public boolean hasOffsets() {
    return this == OFFSETS;
  }
}
