package io.kmodel.indexer.search;

import org.apache.lucene.search.similarities.LMDirichletSimilarity;
import org.apache.lucene.search.similarities.Similarity;

/**
 * Scores by the likelihood of the query in a document's language model, with Dirichlet smoothing by
 * the collection's model.
 *
 * @param mu number of words of the collection's model mixed into a document's; above 0
 */
public record QueryLikelihood(float mu) implements ScoringModel {
  public QueryLikelihood {
    if (!Float.isFinite(mu) || mu <= 0) {
      throw new IllegalArgumentException("mu must be a finite number above 0; got " + mu);
    }
  }

  @Override
  public Similarity similarity() {
    return new LMDirichletSimilarity(mu);
  }
}
