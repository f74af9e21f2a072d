package io.kmodel.indexer.search;

import org.apache.lucene.search.similarities.AfterEffectL;
import org.apache.lucene.search.similarities.BasicModelIn;
import org.apache.lucene.search.similarities.DFRSimilarity;
import org.apache.lucene.search.similarities.NormalizationH2;
import org.apache.lucene.search.similarities.Similarity;

/**
 * Scores by divergence from randomness with the model InL2: inverse document frequency, Laplace's
 * law of succession, normalization 2.
 *
 * @param c influence of document length; larger values reduce it; above 0
 */
public record DivergenceFromRandomness(float c) implements ScoringModel {
  public DivergenceFromRandomness {
    if (!Float.isFinite(c) || c <= 0) {
      throw new IllegalArgumentException("c must be a finite number above 0; got " + c);
    }
  }

  @Override
  public Similarity similarity() {
    return new DFRSimilarity(new BasicModelIn(), new AfterEffectL(), new NormalizationH2(c));
  }
}
