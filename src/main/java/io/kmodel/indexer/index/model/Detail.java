package io.kmodel.indexer.index.model;

/**
 * The details that a field records of a term's occurrences. Each level includes those before it,
 * except {@link #IMPACTS}.
 */
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
  OFFSETS,
  /**
   * The documents that hold the term, and a weight of at least 1 for each, given by the collection.
   * It is kept where other fields keep the number of occurrences, and a document with terms has
   * length 1, as in Anserini's impact indexes: scores depend on weights alone.
   */
  IMPACTS;

  /** Whether the field has terms. */
  public boolean isIndexed() {
    return this != NONE;
  }

  /** Whether every document has a number: of occurrences, or a weight. */
  public boolean hasFrequencies() {
    return this == FREQUENCIES || this == IMPACTS || hasPositions();
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

  /** Whether the numbers are weights. */
  public boolean hasImpacts() {
    return this == IMPACTS;
  }
}
