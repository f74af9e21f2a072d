package io.kmodel.indexer.index.model;

/**
 * Counts of one field over the whole index.
 *
 * @param terms distinct terms
 * @param documents documents with at least one term
 * @param postings sum of the terms' document frequencies
 * @param tokens sum of the terms' total frequencies; equals {@code postings} for a field without
 *     frequencies
 */
public record FieldStatistics(long terms, int documents, long postings, long tokens) {
  public FieldStatistics {
    if (terms < 0 || documents < 0 || postings < Math.max(terms, documents) || tokens < postings) {
      throw new IllegalArgumentException(
          "impossible statistics: %d terms, %d documents, %d postings, %d tokens"
              .formatted(terms, documents, postings, tokens));
    }
  }
}
