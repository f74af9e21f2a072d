package io.kmodel.indexer.evaluate;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/**
 * A number that says how good a ranking is, as trec_eval defines it and under its name. What {@link
 * JudgedRanking} has for relevant counts alike, but in nDCG, to which relevance is a gain.
 *
 * @param name trec_eval's
 * @param summary what is made of the topics' values
 */
public record Measure(String name, Summary summary, ToDoubleFunction<JudgedRanking> value) {
  /** How a number for all topics is made of theirs. */
  public enum Summary {
    /** How many topics there are, which says nothing of one of them. */
    TOPICS,
    /** Of counts. */
    SUM,
    MEAN,
    /** Of no use for one topic, for which nothing is shown. */
    GEOMETRIC_MEAN
  }

  /** Of which a geometric mean is taken where a topic has less: a single 0 would make it 0. */
  private static final double LEAST_OF_GEOMETRIC_MEAN = 0.00001;

  double of(JudgedRanking ranking) {
    return value.applyAsDouble(ranking);
  }

  /** Whether it is a whole number. */
  public boolean isCount() {
    return summary == Summary.SUM || summary == Summary.TOPICS;
  }

  /** Whether it says something of one topic. */
  boolean isOfTopics() {
    return summary != Summary.GEOMETRIC_MEAN && summary != Summary.TOPICS;
  }

  /** The number for all topics. */
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

  /** One after the other, as trec_eval does it: Java's own sum compensates what rounding loses. */
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

  /** Mean over the relevant documents of the precision at their ranks; 0 for those not found. */
  static Measure averagePrecision() {
    return mean("map", Measure::averagePrecision);
  }

  /** The same, of which the geometric mean is taken: topics that do badly count more. */
  static Measure geometricMeanOfAveragePrecision() {
    return new Measure("gm_map", Summary.GEOMETRIC_MEAN, Measure::averagePrecision);
  }

  private static double averagePrecision(JudgedRanking ranking) {
    double sum = 0;
    int found = 0;
    for (int rank = 1; rank <= ranking.retrieved(); rank++) {
      if (ranking.isRelevant(rank)) {
        found++;
        sum += (double) found / rank;
      }
    }
    return share(sum, ranking.relevant());
  }

  /** Precision at R, of R relevant documents. */
  static Measure precisionAtRelevant() {
    return mean(
        "Rprec",
        ranking -> share(ranking.relevantRetrieved(ranking.relevant()), ranking.relevant()));
  }

  /**
   * How often a relevant document is ranked above one judged not relevant, of the first R of these
   * for R relevant ones; what is not judged counts for nothing. Relevant documents that are not
   * found count 0.
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

  /** One over the rank of the first relevant document. */
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
   * Precision at a level of recall: the best at the rank where that is reached or at any behind it.
   */
  static Measure precisionAtRecall(double level) {
    return mean(
        String.format(Locale.ROOT, "iprec_at_recall_%.2f", level),
        ranking -> precisionAtRecall(level, ranking));
  }

  /** A level takes a whole number of documents, the nearest, as in trec_eval 10; in 9 the next. */
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

  /** Relevant documents among the first k, of k, however many there are. */
  static Measure precision(int k) {
    return mean("P_" + k, ranking -> (double) ranking.relevantRetrieved(k) / k);
  }

  /** Relevant documents among the first k, of all relevant ones. */
  static Measure recall(int k) {
    return mean("recall_" + k, ranking -> share(ranking.relevantRetrieved(k), ranking.relevant()));
  }

  private static double share(double some, int all) {
    return all == 0 ? 0 : some / all;
  }

  /**
   * Discounted cumulative gain of the first k, as a share of the best there could be: the sum of
   * relevance / log2(rank + 1).
   */
  static Measure ndcg(int k) {
    return mean("ndcg_cut_" + k, ranking -> ndcg(ranking, k));
  }

  /** The same of the whole ranking. */
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
