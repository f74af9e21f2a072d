package io.kmodel.indexer.search.expand;

import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;

/** Takes a query of words apart, because only words can be mixed with those of documents. */
final class QueryWords {
  private QueryWords() {}

  /**
   * Returns the weights of a query's words: how often it has each, times its boosts.
   *
   * @param field of all words
   * @throws IllegalArgumentException if the query has operators, phrases, patterns or other fields
   */
  static TermWeights of(Query query, String field) {
    TermWeights words = new TermWeights();
    if (!add(query, 1, field, words)) {
      throw new IllegalArgumentException(
          "a query is expanded only if it consists of words in %s, without operators; got '%s'"
              .formatted(field, query));
    }
    return words;
  }

  /** Adds a part of a query; false if it has more than words. */
  private static boolean add(Query query, float boost, String field, TermWeights to) {
    if (query instanceof TermQuery word) {
      to.add(word.getTerm().text(), boost);
      return word.getTerm().field().equals(field);
    }
    if (query instanceof BoostQuery part) {
      return add(part.getQuery(), boost * part.getBoost(), field, to);
    }
    if (query instanceof BooleanQuery any && any.getMinimumNumberShouldMatch() <= 1) {
      return any.clauses().stream()
          .allMatch(
              clause ->
                  clause.occur() == BooleanClause.Occur.SHOULD
                      && add(clause.query(), boost, field, to));
    }
    return query instanceof MatchNoDocsQuery;
  }
}
