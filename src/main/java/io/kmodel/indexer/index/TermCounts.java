package io.kmodel.indexer.index;

/**
 * What the terms of an index add up to, by field and by frequency, while they are written. Memory:
 * three numbers a field, and those of {@link TermDistribution}. Not thread-safe.
 */
final class TermCounts {
  private final Schema schema;
  private final TermDistribution distribution = new TermDistribution();
  private final long[] terms;
  private final long[] postings;
  private final long[] tokens;

  TermCounts(Schema schema) {
    this.schema = schema;
    this.terms = new long[schema.size()];
    this.postings = new long[schema.size()];
    this.tokens = new long[schema.size()];
  }

  void add(TermEntry term) {
    int field = term.field();
    terms[field]++;
    postings[field] += term.docFreq;
    tokens[field] += term.totalTermFreq;
    if (schema.field(field).tokenized()) {
      distribution.add(term.docFreq, term.totalTermFreq);
    }
  }

  /** Documents of all terms of a field. */
  long postings(int field) {
    return postings[field];
  }

  /** How frequent the terms of the tokenized fields are. */
  TermDistribution distribution() {
    return distribution;
  }

  /** Of a field that so many documents have. */
  FieldStatistics statistics(int field, int documents) {
    return new FieldStatistics(terms[field], documents, postings[field], tokens[field]);
  }
}
