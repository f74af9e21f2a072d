package io.kmodel.indexer.evaluate;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Sets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Measures of a run compared with judgements, computed as by trec_eval: over the topics that both
 * have, or over all judged topics, where a missing topic counts as 0. Topics of the run without
 * judgements are left out and counted.
 *
 * @param topics values by topic, with ids as in {@link #shown}, and then by measure; without
 *     measures that are meaningless for a single topic
 * @param summary values aggregated over all topics, by measure
 * @param unanswered judged topics that the run does not have
 * @param unjudged topics of the run without judgements
 */
public record Evaluation(
    ImmutableSortedMap<String, ImmutableMap<String, Double>> topics,
    ImmutableMap<String, Double> summary,
    int unanswered,
    int unjudged) {
  /**
   * Rules for counting, like trec_eval's options -l, -M and -c.
   *
   * @param level the least relevance of a relevant document
   * @param depth maximum number of documents per topic; only the best are kept
   * @param complete whether judged topics missing from the run count as 0
   */
  public record Rules(int level, int depth, boolean complete) {
    /** The defaults. */
    public static final Rules USUAL = new Rules(1, Integer.MAX_VALUE, false);

    public Rules {
      if (level < 1 || depth < 1) {
        throw new IllegalArgumentException(
            "level and depth must be at least 1; got %d and %d".formatted(level, depth));
      }
    }
  }

  /**
   * Evaluates a run.
   *
   * @param measures in the order of the resulting values
   * @throws IllegalArgumentException if no topic remains
   */
  public static Evaluation of(
      RankedRun run, Judgements judgements, Rules rules, List<Measure> measures) {
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
    List<double[]> all = new ArrayList<>();
    for (String topic : rules.complete() ? judged : both) {
      ImmutableList<String> documents = run.topics().getOrDefault(topic, ImmutableList.of());
      Map<String, Integer> relevance = judgements.topics().getOrDefault(topic, Map.of());
      JudgedRanking ranking =
          new JudgedRanking(
              documents.subList(0, Math.min(rules.depth(), documents.size())),
              relevance,
              rules.level());
      double[] values = measures.stream().mapToDouble(measure -> measure.of(ranking)).toArray();
      topics.put(topic, ofTopic(values, measures));
      all.add(values);
    }
    return new Evaluation(
        topics.buildOrThrow(),
        summary(all, measures),
        judged.size() - both.size(),
        answered.size() - both.size());
  }

  private static ImmutableMap<String, Double> ofTopic(double[] values, List<Measure> measures) {
    ImmutableMap.Builder<String, Double> shown = ImmutableMap.builder();
    for (int i = 0; i < values.length; i++) {
      if (measures.get(i).isOfTopics()) {
        shown.put(measures.get(i).name(), values[i]);
      }
    }
    return shown.buildOrThrow();
  }

  private static ImmutableMap<String, Double> summary(
      List<double[]> topics, List<Measure> measures) {
    ImmutableMap.Builder<String, Double> summary = ImmutableMap.builder();
    for (int i = 0; i < measures.size(); i++) {
      int column = i;
      double[] values = topics.stream().mapToDouble(topic -> topic[column]).toArray();
      summary.put(measures.get(i).name(), measures.get(i).summarize(values));
    }
    return summary.buildOrThrow();
  }

  /** Formats a topic's id for users. */
  public static String shown(String topic) {
    return TrecLines.shown(topic);
  }

  private static String some(Set<String> topics) {
    int shown = 3;
    List<String> first = topics.stream().limit(shown).map(TrecLines::shown).toList();
    return String.join(", ", first) + (topics.size() > shown ? ", ..." : "");
  }
}
