package io.kmodel.indexer.search.expand;

/**
 * Parameters of RM3, which expands a query by words of the documents that it ranks best, and
 * searches again. The words and their weights are a relevance model (Lavrenko and Croft,
 * "Relevance-based language models", SIGIR 2001), interpolated with the query (Abdul-Jaleel et al.,
 * "UMass at TREC 2004: Novelty and HARD"). Choices that the papers leave open are those of Anserini
 * 1.5.0's {@code -rm3}, and so are the defaults.
 *
 * @param expandTerms how many words the relevance model has, and at most how many each document
 *     contributes; at least 1
 * @param expandDocuments how many documents it is made from; at least 1
 * @param originalWeight share of the query's own words in the expanded query; 0 to 1
 */
public record Rm3(int expandTerms, int expandDocuments, float originalWeight) {
  /** Anserini's defaults. */
  public static final Rm3 DEFAULT = new Rm3(10, 10, 0.5f);

  public Rm3 {
    requirePositive("expandTerms", expandTerms);
    requirePositive("expandDocuments", expandDocuments);
    if (Float.isNaN(originalWeight) || originalWeight < 0 || originalWeight > 1) {
      throw new IllegalArgumentException("originalWeight must be 0 to 1; got " + originalWeight);
    }
  }

  private static void requirePositive(String name, int count) {
    if (count < 1) {
      throw new IllegalArgumentException("%s must be at least 1; got %d".formatted(name, count));
    }
  }
}
