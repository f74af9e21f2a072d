package io.kmodel.indexer.search;

import org.apache.lucene.search.similarities.LMDirichletSimilarity;
import org.apache.lucene.search.similarities.Similarity;

/**
 * The likelihood of the query in the language model of a document, smoothed by that of the
 * collection (Dirichlet).
 *
 * @param mu how many words of the collection a document is mixed with; above 0
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
