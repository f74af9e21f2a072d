package io.kmodel.indexer.search;

import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.Similarity;

/**
 * Parameters of BM25, as implemented by Lucene.
 *
 * @param k1 how many occurrences of a term count before they saturate; at least 0
 * @param b strength of the penalty for long documents; 0 to 1
 */
public record Bm25(float k1, float b) implements ScoringModel {
  /** Lucene's defaults. */
  public static final Bm25 LUCENE = new Bm25(1.2f, 0.75f);

  /** Anserini's defaults, for runs to be compared with Anserini's. */
  public static final Bm25 ANSERINI = new Bm25(0.9f, 0.4f);

  public Bm25 {
    if (!Float.isFinite(k1) || k1 < 0) {
      throw new IllegalArgumentException("k1 must be a finite number of at least 0; got " + k1);
    }
    if (Float.isNaN(b) || b < 0 || b > 1) {
      throw new IllegalArgumentException("b must be 0 to 1; got " + b);
    }
  }

  @Override
  public Similarity similarity() {
    return new BM25Similarity(k1, b);
  }
}
