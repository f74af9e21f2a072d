package io.kmodel.indexer.evaluate;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Sets;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A run compared with judgements, as trec_eval does it: over the topics that both have, or over all
 * that were judged, where a topic without an answer counts 0. Topics of the run that nobody has
 * judged are left out, and counted.
 *
 * @param topics values by topic, as {@link #shown} makes it readable, then by measure
 * @param summary the counts' sums and the other measures' means
 * @param unanswered judged topics that the run does not have
 * @param unjudged topics of the run that are not judged
 */
public record Evaluation(
    ImmutableSortedMap<String, ImmutableMap<String, Double>> topics,
    ImmutableMap<String, Double> summary,
    int unanswered,
    int unjudged) {
  /** How many topics {@link #summary} is of. */
  public static final String TOPICS = "num_q";

  private static final ImmutableList<Integer> CUTOFFS = ImmutableList.of(5, 10, 20, 100, 1000);

  /**
   * Evaluates a run.
   *
   * @param complete whether judged topics that the run does not have count, as 0
   * @param measures in the order in which the values will be
   * @throws IllegalArgumentException where no topic is left
   */
  public static Evaluation of(
      RankedRun run, Judgements judgements, boolean complete, List<Measure> measures) {
    Set<String> judged = judgements.topics().keySet();
    Set<String> answered = run.topics().keySet();
    Set<String> both = Sets.intersection(judged, answered);
    if (both.isEmpty()) {
      throw new IllegalArgumentException(
          "the run and the judgements have no topic in common; the run has %s, the judgements %s"
              .formatted(some(answered), some(judged)));
    }
    ImmutableSortedMap.Builder<String, ImmutableMap<String, Double>> topics =
        ImmutableSortedMap.naturalOrder();
    for (String topic : complete ? judged : both) {
      ImmutableList<String> documents = run.topics().getOrDefault(topic, ImmutableList.of());
      Map<String, Integer> relevance = judgements.topics().getOrDefault(topic, Map.of());
      topics.put(topic, values(new JudgedRanking(documents, relevance), measures));
    }
    ImmutableSortedMap<String, ImmutableMap<String, Double>> all = topics.buildOrThrow();
    return new Evaluation(
        all, summary(all, measures), judged.size() - both.size(), answered.size() - both.size());
  }

  /** What trec_eval shows at first, and nDCG, recall and precision at the usual cut-offs. */
  public static ImmutableList<Measure> usualMeasures() {
    ImmutableList.Builder<Measure> measures = ImmutableList.builder();
    measures.add(
        Measure.count("num_ret", JudgedRanking::retrieved),
        Measure.count("num_rel", JudgedRanking::relevant),
        Measure.count("num_rel_ret", ranking -> ranking.relevantRetrieved(Integer.MAX_VALUE)),
        Measure.averagePrecision(),
        Measure.reciprocalRank());
    CUTOFFS.forEach(k -> measures.add(Measure.precision(k)));
    CUTOFFS.forEach(k -> measures.add(Measure.recall(k)));
    measures.add(Measure.ndcg());
    CUTOFFS.forEach(k -> measures.add(Measure.ndcg(k)));
    return measures.build();
  }

  private static ImmutableMap<String, Double> values(
      JudgedRanking ranking, List<Measure> measures) {
    ImmutableMap.Builder<String, Double> values = ImmutableMap.builder();
    measures.forEach(measure -> values.put(measure.name(), measure.of(ranking)));
    return values.buildOrThrow();
  }

  private static ImmutableMap<String, Double> summary(
      Map<String, ImmutableMap<String, Double>> topics, List<Measure> measures) {
    ImmutableMap.Builder<String, Double> summary = ImmutableMap.builder();
    summary.put(TOPICS, (double) topics.size());
    for (Measure measure : measures) {
      double sum =
          topics.values().stream()
              .mapToDouble(values -> values.getOrDefault(measure.name(), 0.0))
              .sum();
      summary.put(measure.name(), measure.isCount() ? sum : sum / topics.size());
    }
    return summary.buildOrThrow();
  }

  /** What a topic's id is called for people. */
  public static String shown(String topic) {
    return TrecLines.shown(topic);
  }

  private static String some(Set<String> topics) {
    int shown = 3;
    List<String> first = topics.stream().limit(shown).map(TrecLines::shown).toList();
    return String.join(", ", first) + (topics.size() > shown ? ", ..." : "");
  }
}
