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
 * A run compared with judgements, as trec_eval does it: over the topics that both have, or over all
 * that were judged, where a topic without an answer counts 0. Topics of the run that nobody has
 * judged are left out, and counted.
 *
 * @param topics values by topic, as {@link #shown} makes it readable, then by measure, but for
 *     those that say nothing of one topic
 * @param summary what the measures make of the topics' values
 * @param unanswered judged topics that the run does not have
 * @param unjudged topics of the run that are not judged
 */
public record Evaluation(
    ImmutableSortedMap<String, ImmutableMap<String, Double>> topics,
    ImmutableMap<String, Double> summary,
    int unanswered,
    int unjudged) {
  /**
   * What counts, as trec_eval's options -l, -M and -c have it.
   *
   * @param level the least relevance of a relevant document
   * @param depth documents of a topic at most, the best of them; the others are left out
   * @param complete whether judged topics that the run does not have count, as 0
   */
  public record Rules(int level, int depth, boolean complete) {
    /** Where nothing is asked for. */
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
   * @param measures in the order in which the values will be
   * @throws IllegalArgumentException where no topic is left
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
