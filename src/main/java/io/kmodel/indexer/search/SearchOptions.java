package io.kmodel.indexer.search;

import io.kmodel.indexer.search.expand.Rm3;
import io.kmodel.indexer.search.filter.DocumentFilter;
import org.jspecify.annotations.Nullable;

/**
 * How a searcher answers queries.
 *
 * @param model scores the documents
 * @param fields searched for words without a field
 * @param filter limits the documents of every query
 * @param ties the order of documents with the same score
 * @param expansion adds words to every query; null if queries stay as they are
 */
public record SearchOptions(
    ScoringModel model,
    FieldWeights fields,
    DocumentFilter filter,
    Ties ties,
    @Nullable Rm3 expansion) {
  /** Searches {@value io.kmodel.indexer.index.model.Schema#CONTENTS} without a filter. */
  public static SearchOptions of(ScoringModel model) {
    return new SearchOptions(model, FieldWeights.CONTENTS, DocumentFilter.NONE, Ties.NUMBER, null);
  }

  public SearchOptions withFields(FieldWeights other) {
    return new SearchOptions(model, other, filter, ties, expansion);
  }

  public SearchOptions withFilter(DocumentFilter other) {
    return new SearchOptions(model, fields, other, ties, expansion);
  }

  public SearchOptions withTies(Ties other) {
    return new SearchOptions(model, fields, filter, other, expansion);
  }

  public SearchOptions withExpansion(Rm3 other) {
    return new SearchOptions(model, fields, filter, ties, other);
  }
}
