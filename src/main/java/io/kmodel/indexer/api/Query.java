package io.kmodel.indexer.api;

import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.search.Bm25;
import io.kmodel.indexer.search.FieldWeights;
import io.kmodel.indexer.search.ImpactSum;
import io.kmodel.indexer.search.ScoringModel;
import io.kmodel.indexer.search.SearchOptions;
import io.kmodel.indexer.search.SearchResult;
import io.kmodel.indexer.search.Searcher;
import io.kmodel.indexer.search.filter.DocumentFilter;
import java.io.IOException;
import org.apache.lucene.analysis.Analyzer;
import org.jspecify.annotations.Nullable;

/** What to search. Immutable: the methods that set something return a changed copy. */
public final class Query {
  private static final int USUAL_TOP = 10;

  private final String text;
  private final boolean plain;
  private final int top;
  private final @Nullable String fields;
  private final @Nullable String filter;
  private final float k1;
  private final float b;

  private Query(
      String text,
      boolean plain,
      int top,
      @Nullable String fields,
      @Nullable String filter,
      float k1,
      float b) {
    this.text = text;
    this.plain = plain;
    this.top = top;
    this.fields = fields;
    this.filter = filter;
    this.k1 = k1;
    this.b = b;
  }

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

  /** The answer of an index, with snippets unless this is a bag of words. */
  SearchResult run(InvertedIndex index, Analyzer analyzer) throws IOException {
    Schema schema = index.schema();
    ScoringModel model = schema.hasImpacts() ? new ImpactSum() : new Bm25(k1, b);
    FieldWeights weights =
        fields == null ? FieldWeights.defaultOf(schema) : FieldWeights.parse(fields);
    DocumentFilter limit =
        filter == null ? DocumentFilter.NONE : DocumentFilter.parse(filter, schema);
    SearchOptions options = SearchOptions.of(model).withFields(weights).withFilter(limit);
    try (Searcher searcher = new Searcher(index, analyzer, options)) {
      return plain ? searcher.searchWords(text, top) : searcher.search(text, top);
    }
  }
}
