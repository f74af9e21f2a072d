package io.kmodel.indexer.search;

import org.apache.lucene.search.similarities.Similarity;

/** A model for scoring documents with its parameters, each as implemented by Lucene. */
public sealed interface ScoringModel
    permits Bm25, QueryLikelihood, DivergenceFromRandomness, ImpactSum {
  /** The model as Lucene's Similarity. */
  Similarity similarity();
}
