package io.kmodel.indexer.evaluate;

import java.util.function.ToDoubleFunction;

/**
 * A number that says how good a ranking is, as trec_eval defines it and under its name. A document
 * is relevant if it was judged at 1 or above; one that nobody has judged is not.
 *
 * @param name trec_eval's
 * @param isCount whether it is a count, which is summed up over the topics; the others' mean is
 *     taken
 */
public record Measure(String name, boolean isCount, ToDoubleFunction<JudgedRanking> value) {
  double of(JudgedRanking ranking) {
    return value.applyAsDouble(ranking);
  }

  static Measure count(String name, ToDoubleFunction<JudgedRanking> value) {
    return new Measure(name, true, value);
  }

  /** Mean over the relevant documents of the precision at their ranks; 0 for those not found. */
  static Measure averagePrecision() {
    return new Measure(
        "map",
        false,
        ranking -> {
          double sum = 0;
          int found = 0;
          for (int rank = 1; rank <= ranking.retrieved(); rank++) {
            if (ranking.isRelevant(rank)) {
              found++;
              sum += (double) found / rank;
            }
          }
          return ranking.relevant() == 0 ? 0 : sum / ranking.relevant();
        });
  }

  /** One over the rank of the first relevant document. */
  static Measure reciprocalRank() {
    return new Measure(
        "recip_rank",
        false,
        ranking -> {
          for (int rank = 1; rank <= ranking.retrieved(); rank++) {
            if (ranking.isRelevant(rank)) {
              return 1.0 / rank;
            }
          }
          return 0;
        });
  }

  /** Relevant documents among the first k, of k, however many there are. */
  static Measure precision(int k) {
    return new Measure("P_" + k, false, ranking -> (double) ranking.relevantRetrieved(k) / k);
  }

  /** Relevant documents among the first k, of all relevant ones. */
  static Measure recall(int k) {
    return new Measure(
        "recall_" + k,
        false,
        ranking ->
            ranking.relevant() == 0
                ? 0
                : (double) ranking.relevantRetrieved(k) / ranking.relevant());
  }

  /**
   * Discounted cumulative gain of the first k, as a share of the best there could be: the sum of
   * relevance / log2(rank + 1).
   */
  static Measure ndcg(int k) {
    return new Measure("ndcg_cut_" + k, false, ranking -> ndcg(ranking, k));
  }

  /** The same of the whole ranking. */
  static Measure ndcg() {
    return new Measure("ndcg", false, ranking -> ndcg(ranking, Integer.MAX_VALUE));
  }

  private static double ndcg(JudgedRanking ranking, int k) {
    double ideal = 0;
    for (int rank = 1; rank <= Math.min(k, ranking.gains().size()); rank++) {
      ideal += discounted(ranking.gains().get(rank - 1), rank);
    }
    double sum = 0;
    for (int rank = 1; rank <= Math.min(k, ranking.retrieved()); rank++) {
      sum += discounted(Math.max(0, ranking.relevance(rank)), rank);
    }
    return ideal == 0 ? 0 : sum / ideal;
  }

  private static double discounted(int gain, int rank) {
    return gain * Math.log(2) / Math.log(rank + 1.0);
  }
}
