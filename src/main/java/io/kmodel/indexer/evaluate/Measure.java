package io.kmodel.indexer.evaluate;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/**
 * A measure of a ranking's quality, defined and named as in trec_eval. All relevant documents of a
 * {@link JudgedRanking} count alike, except in nDCG, which uses relevance as a gain.
 *
 * @param name trec_eval's name
 * @param summary how values of topics are aggregated
 */
public record Measure(String name, Summary summary, ToDoubleFunction<JudgedRanking> value) {
  /** How a value for all topics is computed from the topics' values. */
  public enum Summary {
    /** The number of topics; meaningless for a single topic. */
    TOPICS,
    /** The sum, for counts. */
    SUM,
    MEAN,
    /** Not shown for single topics. */
    GEOMETRIC_MEAN
  }

  /** Lower bound for values in a geometric mean, which a single 0 would make 0. */
  private static final double LEAST_OF_GEOMETRIC_MEAN = 0.00001;

  double of(JudgedRanking ranking) {
    return value.applyAsDouble(ranking);
  }

  /** Whether values are whole numbers. */
  public boolean isCount() {
    return summary == Summary.SUM || summary == Summary.TOPICS;
  }

  /** Whether the measure is meaningful for a single topic. */
  boolean isOfTopics() {
    return summary != Summary.GEOMETRIC_MEAN && summary != Summary.TOPICS;
  }

  /** Aggregates the topics' values. */
  double summarize(double[] values) {
    return switch (summary) {
      case TOPICS -> values.length;
      case SUM -> sum(Arrays.stream(values));
      case MEAN -> sum(Arrays.stream(values)) / values.length;
      case GEOMETRIC_MEAN ->
          Math.exp(
              sum(
                      Arrays.stream(values)
                          .map(value -> Math.log(Math.max(value, LEAST_OF_GEOMETRIC_MEAN))))
                  / values.length);
    };
  }

  /** Plain summation as in trec_eval; Java's sum() compensates for rounding errors. */
  private static double sum(DoubleStream values) {
    double sum = 0;
    for (double value : values.toArray()) {
      sum += value;
    }
    return sum;
  }

  static Measure topics() {
    return new Measure("num_q", Summary.TOPICS, ranking -> 1);
  }

  static Measure count(String name, ToDoubleFunction<JudgedRanking> value) {
    return new Measure(name, Summary.SUM, value);
  }

  private static Measure mean(String name, ToDoubleFunction<JudgedRanking> value) {
    return new Measure(name, Summary.MEAN, value);
  }

  /** Mean of the precision at the ranks of all relevant documents; 0 for those not retrieved. */
  static Measure averagePrecision() {
    return mean("map", Measure::averagePrecision);
  }

  /** The same for the first k documents; relevant ones below them count as 0. */
  static Measure averagePrecision(int k) {
    return mean("map_cut_" + k, ranking -> averagePrecision(ranking, k));
  }

  /** Average precision aggregated by geometric mean, which emphasizes poor topics. */
  static Measure geometricMeanOfAveragePrecision() {
    return new Measure("gm_map", Summary.GEOMETRIC_MEAN, Measure::averagePrecision);
  }

  private static double averagePrecision(JudgedRanking ranking) {
    return averagePrecision(ranking, Integer.MAX_VALUE);
  }

  private static double averagePrecision(JudgedRanking ranking, int k) {
    double sum = 0;
    int found = 0;
    for (int rank = 1; rank <= Math.min(k, ranking.retrieved()); rank++) {
      if (ranking.isRelevant(rank)) {
        found++;
        sum += (double) found / rank;
      }
    }
    return share(sum, ranking.relevant());
  }

  /** Precision at rank R for R relevant documents. */
  static Measure precisionAtRelevant() {
    return mean(
        "Rprec",
        ranking -> share(ranking.relevantRetrieved(ranking.relevant()), ranking.relevant()));
  }

  /**
   * How often relevant documents rank above documents judged not relevant. With R relevant
   * documents, only the first R judged not relevant count; unjudged documents are ignored. Relevant
   * documents that were not retrieved count as 0.
   */
  static Measure binaryPreference() {
    return mean("bpref", Measure::binaryPreference);
  }

  private static double binaryPreference(JudgedRanking ranking) {
    int most = Math.min(ranking.relevant(), ranking.notRelevant());
    double sum = 0;
    int above = 0;
    for (int rank = 1; rank <= ranking.retrieved(); rank++) {
      if (ranking.isRelevant(rank)) {
        sum += above == 0 ? 1 : 1 - (double) Math.min(above, most) / most;
      } else if (ranking.isNotRelevant(rank)) {
        above++;
      }
    }
    return share(sum, ranking.relevant());
  }

  /** Reciprocal of the rank of the first relevant document. */
  static Measure reciprocalRank() {
    return mean(
        "recip_rank",
        ranking -> {
          for (int rank = 1; rank <= ranking.retrieved(); rank++) {
            if (ranking.isRelevant(rank)) {
              return 1.0 / rank;
            }
          }
          return 0;
        });
  }

  /**
   * Interpolated precision at a level of recall: the best precision at or after the rank at which
   * the level is reached.
   */
  static Measure precisionAtRecall(double level) {
    return mean(
        String.format(Locale.ROOT, "iprec_at_recall_%.2f", level),
        ranking -> precisionAtRecall(level, ranking));
  }

  /** Rounds a level to the nearest number of documents like trec_eval 10; version 9 rounds up. */
  private static double precisionAtRecall(double level, JudgedRanking ranking) {
    long wanted = Math.round(level * ranking.relevant());
    int found = 0;
    double best = 0;
    for (int rank = 1; rank <= ranking.retrieved(); rank++) {
      found += ranking.isRelevant(rank) ? 1 : 0;
      if (found >= wanted) {
        best = Math.max(best, (double) found / rank);
      }
    }
    return best;
  }

  /** Relevant documents among the first k, divided by k even if fewer were retrieved. */
  static Measure precision(int k) {
    return mean("P_" + k, ranking -> (double) ranking.relevantRetrieved(k) / k);
  }

  /** Relevant documents among the first k, divided by all relevant ones. */
  static Measure recall(int k) {
    return mean("recall_" + k, ranking -> share(ranking.relevantRetrieved(k), ranking.relevant()));
  }

  /** Whether any of the first k documents is relevant: 1 or 0. */
  static Measure success(int k) {
    return mean("success_" + k, ranking -> ranking.relevantRetrieved(k) > 0 ? 1 : 0);
  }

  private static double share(double some, int all) {
    return all == 0 ? 0 : some / all;
  }

  /**
   * Discounted cumulative gain of the first k documents, i.e. the sum of relevance / log2(rank +
   * 1), relative to the best possible one.
   */
  static Measure ndcg(int k) {
    return mean("ndcg_cut_" + k, ranking -> ndcg(ranking, k));
  }

  /** The same for the whole ranking. */
  static Measure ndcg() {
    return mean("ndcg", ranking -> ndcg(ranking, Integer.MAX_VALUE));
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
