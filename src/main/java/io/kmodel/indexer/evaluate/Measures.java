package io.kmodel.indexer.evaluate;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.util.List;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The available measures, by trec_eval's names. */
public final class Measures {
  /** Cut-offs of precision, as in trec_eval. */
  private static final ImmutableList<Integer> PRECISION_CUTOFFS =
      ImmutableList.of(5, 10, 15, 20, 30, 100, 200, 500, 1000);

  private static final ImmutableList<Integer> SUCCESS_CUTOFFS = ImmutableList.of(1, 5, 10);
  private static final ImmutableList<Integer> CUTOFFS = ImmutableList.of(5, 10, 20, 100, 1000);

  /** Levels of recall besides 0, evenly spaced up to 1. */
  private static final int LEVELS = 10;

  private static final String SUCCESS = "success";
  private static final String AT_RECALL = "iprec_at_recall";

  /** Measures with a cut-off, by the start of their names. */
  private static final ImmutableMap<String, IntFunction<Measure>> AT_CUTOFF =
      ImmutableMap.of(
          "P",
          Measure::precision,
          "recall",
          Measure::recall,
          "ndcg_cut",
          Measure::ndcg,
          "map_cut",
          Measure::averagePrecision,
          SUCCESS,
          Measure::success);

  /** trec_eval's names end in an underscore and the cut-off; its arguments have a dot there. */
  private static final Pattern WITH_CUTOFF = Pattern.compile("([A-Za-z_]+)[_.]([1-9][0-9]{0,8})");

  private static final Pattern CUTOFF = Pattern.compile("[1-9][0-9]{0,8}");

  private Measures() {}

  /** trec_eval's default measures in its order, then recall and nDCG. */
  public static ImmutableList<Measure> usual() {
    ImmutableList.Builder<Measure> measures = ImmutableList.builder();
    measures.add(
        Measure.topics(),
        Measure.count("num_ret", JudgedRanking::retrieved),
        Measure.count("num_rel", JudgedRanking::relevant),
        Measure.count("num_rel_ret", ranking -> ranking.relevantRetrieved(Integer.MAX_VALUE)),
        Measure.averagePrecision(),
        Measure.geometricMeanOfAveragePrecision(),
        Measure.precisionAtRelevant(),
        Measure.binaryPreference(),
        Measure.reciprocalRank());
    for (int level = 0; level <= LEVELS; level++) {
      measures.add(Measure.precisionAtRecall((double) level / LEVELS));
    }
    PRECISION_CUTOFFS.forEach(k -> measures.add(Measure.precision(k)));
    CUTOFFS.forEach(k -> measures.add(Measure.recall(k)));
    measures.add(Measure.ndcg());
    CUTOFFS.forEach(k -> measures.add(Measure.ndcg(k)));
    return measures.build();
  }

  /**
   * Returns measures by their names as trec_eval prints them ({@code P_5}) or takes them: {@code
   * P.5,10}, where a number belongs to the name before it, or {@code P} with its usual cut-offs.
   *
   * @param names separated at commas
   * @throws IllegalArgumentException if a name is unknown; the message lists all names
   */
  public static ImmutableList<Measure> named(List<String> names) {
    ImmutableList.Builder<Measure> measures = ImmutableList.builder();
    String before = "";
    for (String name : names) {
      IntFunction<Measure> family = AT_CUTOFF.get(name);
      if (!before.isEmpty() && CUTOFF.matcher(name).matches()) {
        measures.add(named(before + name));
        continue;
      }
      Matcher dotted = WITH_CUTOFF.matcher(name);
      before = dotted.matches() && name.indexOf('.') >= 0 ? dotted.group(1) + "_" : "";
      if (family != null) {
        (name.equals(SUCCESS) ? SUCCESS_CUTOFFS : PRECISION_CUTOFFS)
            .forEach(k -> measures.add(family.apply(k)));
      } else if (name.equals(AT_RECALL)) {
        usual().stream().filter(usual -> usual.name().startsWith(name)).forEach(measures::add);
      } else {
        measures.add(named(name));
      }
    }
    return measures.build();
  }

  /**
   * Returns a measure by name, with any cut-off if it takes one.
   *
   * @throws IllegalArgumentException if the name is unknown
   */
  static Measure named(String name) {
    for (Measure measure : usual()) {
      if (measure.name().equals(name)) {
        return measure;
      }
    }
    Matcher matcher = WITH_CUTOFF.matcher(name);
    @Nullable IntFunction<Measure> atCutoff =
        matcher.matches() ? AT_CUTOFF.get(matcher.group(1)) : null;
    if (atCutoff == null) {
      throw new IllegalArgumentException(
          "unknown measure '%s'; available: %s".formatted(name, names()));
    }
    return atCutoff.apply(Integer.parseInt(matcher.group(2)));
  }

  private static String names() {
    String withoutCutoff =
        usual().stream()
            .map(Measure::name)
            .filter(name -> !WITH_CUTOFF.matcher(name).matches())
            .collect(Collectors.joining(", "));
    String withCutoff =
        AT_CUTOFF.keySet().stream().map(name -> name + "_K").collect(Collectors.joining(", "));
    return "%s, and with any number K %s".formatted(withoutCutoff, withCutoff);
  }
}
