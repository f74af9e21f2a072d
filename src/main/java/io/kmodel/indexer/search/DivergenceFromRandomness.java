package io.kmodel.indexer.search;

import org.apache.lucene.search.similarities.AfterEffectL;
import org.apache.lucene.search.similarities.BasicModelIn;
import org.apache.lucene.search.similarities.DFRSimilarity;
import org.apache.lucene.search.similarities.NormalizationH2;
import org.apache.lucene.search.similarities.Similarity;

/**
 * How far a term's frequency in a document is from chance, by the model InL2: inverse document
 * frequency, Laplace's law of succession, normalisation 2.
 *
 * @param c how much the length of documents counts, the less the larger; above 0
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
