package io.kmodel.indexer.search;

import org.apache.lucene.index.FieldInvertState;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.search.similarities.Similarity;

/**
 * Scores by the sum of each query term's weight times its weight in the document, as learned sparse
 * retrieval defines it and as Anserini's {@code -impact} does: no length and no document frequency
 * counts. In a field with frequencies, these are the weights.
 */
public record ImpactSum() implements ScoringModel {
  @Override
  public Similarity similarity() {
    return new Sum();
  }

  private static final class Sum extends Similarity {
    @Override
    public long computeNorm(FieldInvertState state) {
      return 1;
    }

    @Override
    public SimScorer scorer(float boost, CollectionStatistics collection, TermStatistics... terms) {
      return new SimScorer() {
        @Override
        public float score(float weight, long norm) {
          return boost * weight;
        }

        @Override
        public Explanation explain(Explanation weight, long norm) {
          return Explanation.match(
              score(weight.getValue().floatValue(), norm),
              "weight in the query times weight in the document",
              Explanation.match(boost, "weight in the query"),
              weight);
        }
      };
    }
  }
}
