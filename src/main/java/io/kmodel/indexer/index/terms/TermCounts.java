package io.kmodel.indexer.index.terms;

import io.kmodel.indexer.index.model.FieldStatistics;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.index.model.TermDistribution;
import io.kmodel.indexer.index.model.TopTerms;

/**
 * Counts terms by field and by frequency while an index is written. Memory: three numbers per
 * field, {@link TermDistribution} and {@link TopTerms}. Not thread-safe.
 */
public final class TermCounts {
  private final Schema schema;
  private final TermDistribution distribution = new TermDistribution();
  private final TopTerms top = new TopTerms();
  private final long[] terms;
  private final long[] postings;
  private final long[] tokens;

  public TermCounts(Schema schema) {
    this.schema = schema;
    this.terms = new long[schema.size()];
    this.postings = new long[schema.size()];
    this.tokens = new long[schema.size()];
  }

  public void add(TermEntry term) {
    int field = term.field();
    terms[field]++;
    postings[field] += term.docFreq;
    tokens[field] += term.totalTermFreq;
    if (schema.field(field).tokenized()) {
      distribution.add(term.docFreq, term.totalTermFreq);
      top.add(term.key, term.keyLength, term.docFreq, term.totalTermFreq);
    }
  }

  /** Sum of the document frequencies of a field's terms. */
  public long postings(int field) {
    return postings[field];
  }

  /** The frequencies of the terms of tokenized fields. */
  public TermDistribution distribution() {
    return distribution;
  }

  /** The terms of tokenized fields that most documents have. */
  public TopTerms top() {
    return top;
  }

  /** Statistics of a field that has terms in the given number of documents. */
  public FieldStatistics statistics(int field, int documents) {
    return new FieldStatistics(terms[field], documents, postings[field], tokens[field]);
  }
}
