package io.kmodel.indexer.api;

import io.kmodel.indexer.search.Bm25;
import org.jspecify.annotations.Nullable;

/**
 * What to search. The methods that set something return a changed copy.
 *
 * @param text the query
 * @param plain whether the text is a bag of words, any of which may match, instead of Lucene's
 *     classic syntax
 * @param top the most documents to return, at least 1
 * @param fields where words without a field are searched, with weights: {@code title^2,contents};
 *     null for contents
 * @param filter limits the documents by their metadata, in Lucene's syntax; null for none
 * @param k1 of BM25: how many occurrences of a term count before they saturate; at least 0
 * @param b of BM25: how much long documents lose; 0 to 1
 */
public record Query(
    String text,
    boolean plain,
    int top,
    @Nullable String fields,
    @Nullable String filter,
    float k1,
    float b) {
  private static final int USUAL_TOP = 10;

  /**
   * A query in Lucene's classic syntax: {@code +title:"external sort" merge* -draft}.
   *
   * @param text the query
   * @return for the 10 best documents by BM25 with Lucene's parameters
   */
  public static Query of(String text) {
    return new Query(text, false, USUAL_TOP, null, null, Bm25.LUCENE.k1(), Bm25.LUCENE.b());
  }

  /**
   * A bag of words. Syntax in the text has no meaning.
   *
   * @param text the words
   * @return for the 10 best documents by BM25 with Lucene's parameters
   */
  public static Query ofWords(String text) {
    return new Query(text, true, USUAL_TOP, null, null, Bm25.LUCENE.k1(), Bm25.LUCENE.b());
  }

  /**
   * Sets the number of documents.
   *
   * @param most at least 1
   * @return the same query with this number
   */
  public Query top(int most) {
    return new Query(text, plain, most, fields, filter, k1, b);
  }

  /**
   * Sets the fields of words without a field.
   *
   * @param weighted as in {@code title^2,contents}
   * @return the same query with these fields
   */
  public Query fields(String weighted) {
    return new Query(text, plain, top, weighted, filter, k1, b);
  }

  /**
   * Limits the documents; scores do not change.
   *
   * @param clauses which all must hold: {@code year:[2020 TO *] -host:example.org}
   * @return the same query with this filter
   */
  public Query filter(String clauses) {
    return new Query(text, plain, top, fields, clauses, k1, b);
  }

  /**
   * Sets the parameters of BM25; an index of vectors ignores them.
   *
   * @param newK1 Lucene has 1.2, Anserini 0.9
   * @param newB Lucene has 0.75, Anserini 0.4
   * @return the same query with these parameters
   */
  public Query bm25(float newK1, float newB) {
    return new Query(text, plain, top, fields, filter, newK1, newB);
  }
}
