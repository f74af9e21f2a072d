package io.kmodel.indexer.search;

import org.apache.lucene.search.similarities.Similarity;

/** How documents are scored, with its parameters; each as Lucene computes it. */
public sealed interface ScoringModel permits Bm25, QueryLikelihood, DivergenceFromRandomness {
  /** What Lucene calls it. */
  Similarity similarity();
}
