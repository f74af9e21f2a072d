package io.kmodel.indexer.search;

import io.kmodel.indexer.search.filter.DocumentFilter;

/**
 * How a searcher answers queries.
 *
 * @param model scores the documents
 * @param fields searched for words without a field
 * @param filter limits the documents of every query
 * @param ties the order of documents with the same score
 */
public record SearchOptions(
    ScoringModel model, FieldWeights fields, DocumentFilter filter, Ties ties) {
  /** Searches {@value io.kmodel.indexer.index.model.Schema#CONTENTS} without a filter. */
  public static SearchOptions of(ScoringModel model) {
    return new SearchOptions(model, FieldWeights.CONTENTS, DocumentFilter.NONE, Ties.NUMBER);
  }

  public SearchOptions withFields(FieldWeights other) {
    return new SearchOptions(model, other, filter, ties);
  }

  public SearchOptions withFilter(DocumentFilter other) {
    return new SearchOptions(model, fields, other, ties);
  }

  public SearchOptions withTies(Ties other) {
    return new SearchOptions(model, fields, filter, other);
  }
}
