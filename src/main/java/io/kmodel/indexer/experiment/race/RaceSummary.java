package io.kmodel.indexer.experiment.race;

import io.kmodel.indexer.experiment.Spread;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Formatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** A table with medians and spreads of a race. */
public final class RaceSummary {
  private static final String OURS = "indexer";
  private static final String OWN = "own";
  private static final String WORDS = "words";

  /** Results by contestant, in their order. */
  private final Map<String, List<RaceResult>> results = new LinkedHashMap<>();

  private final List<String> rivals;

  public RaceSummary(List<RaceResult> all) {
    for (RaceResult result : all) {
      results.computeIfAbsent(result.contestant(), name -> new ArrayList<>()).add(result);
    }
    rivals = new ArrayList<>(results.keySet());
    rivals.removeAll(List.of(OURS, OWN, WORDS));
  }

  private List<RaceResult> of(String contestant) {
    return results.getOrDefault(contestant, List.of());
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    try (Formatter out = new Formatter(text, Locale.ROOT)) {
      RaceResult any = of(OURS).getFirst();
      out.format(
          "%,d documents, %,d tokens, %.1f MB of source, %d rounds%n",
          any.documents(), any.tokens(), any.sourceBytes() / 1e6, of(OURS).size());
      if (!any.skipped().isEmpty()) {
        out.format("skipped by each: %s%n", any.skipped());
      }
      out.format(
          "%-10s %22s %10s %10s %10s %9s %10s %10s %9s%n",
          "",
          "seconds (min–max)",
          "docs/s",
          "MB/s",
          "Mtok/s",
          "cpu-s",
          "peak MiB",
          "index MB",
          "segments");
      results.forEach((name, runs) -> row(out, name, runs, any));
      for (String rival : rivals) {
        ratio(out, rival, OURS);
        ratio(out, rival, OWN);
      }
      if (rivals.size() > 1) {
        out.format("fastest rival: %s%n", fastestRival());
      }
      ratio(out, OURS, WORDS);
      ratio(out, OWN, WORDS);
      Spread merge = Spread.of(of(OWN).stream().mapToDouble(RaceSummary::mergeShare).toArray());
      out.format(
          "own, share of its merge: %.1f %% (%.1f–%.1f)%n",
          merge.median(), merge.least(), merge.most());
      results.forEach((name, runs) -> stages(out, name, runs));
    }
    return text.toString();
  }

  private static double mergeShare(RaceResult result) {
    Double merge = result.stages().get("build: merge");
    if (merge == null) {
      throw new IllegalStateException("no merge among the stages " + result.stages().keySet());
    }
    return 100 * merge / result.seconds();
  }

  private String fastestRival() {
    return Collections.min(
        rivals, Comparator.comparingDouble(name -> median(of(name), RaceResult::seconds)));
  }

  /** Time of one contestant divided by that of another, if both took part. */
  private void ratio(Formatter out, String name, String to) {
    double[] ratios = ratios(of(name), of(to));
    if (ratios.length > 0) {
      out.format(
          "ratio %s / %s: %.2f (%.2f–%.2f)%n",
          name,
          to,
          Spread.median(ratios),
          Arrays.stream(ratios).min().orElse(0),
          Arrays.stream(ratios).max().orElse(0));
    }
  }

  /** A contestant that does not count bytes or tokens read and found the same as this program. */
  private static void row(Formatter out, String name, List<RaceResult> results, RaceResult ours) {
    double seconds = median(results, RaceResult::seconds);
    out.format(
        "%-10s %8.2f (%.2f–%.2f) %10.0f %10.1f %10.2f %9.1f %10.0f %10.1f %9.0f%n",
        name,
        seconds,
        results.stream().mapToDouble(RaceResult::seconds).min().orElse(0),
        results.stream().mapToDouble(RaceResult::seconds).max().orElse(0),
        ours.documents() / seconds,
        ours.sourceBytes() / 1e6 / seconds,
        ours.tokens() / 1e6 / seconds,
        median(results, RaceResult::cpuSeconds),
        median(results, r -> r.peakMemoryBytes() / 1048576.0),
        median(results, r -> r.indexBytes() / 1e6),
        median(results, RaceResult::segments));
  }

  private static void stages(Formatter out, String name, List<RaceResult> results) {
    Map<String, Double> medians = new TreeMap<>();
    for (String stage : results.getFirst().stages().keySet()) {
      double seconds = median(results, r -> r.stages().getOrDefault(stage, 0.0));
      if (seconds > 0) {
        medians.put(stage, seconds);
      }
    }
    if (medians.isEmpty()) {
      return;
    }
    long tokens = results.getFirst().tokens();
    out.format("%s, seconds by stage (million tokens a second):%n", name);
    medians.forEach(
        (stage, seconds) ->
            out.format("  %-24s %8.2f %10.1f%n", stage, seconds, tokens / 1e6 / seconds));
  }

  /** Ratios per round. */
  private static double[] ratios(List<RaceResult> of, List<RaceResult> to) {
    double[] ratios = new double[Math.min(of.size(), to.size())];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = of.get(i).seconds() / to.get(i).seconds();
    }
    return ratios;
  }

  private static double median(List<RaceResult> results, ToDoubleFunction<RaceResult> figure) {
    return Spread.median(results.stream().mapToDouble(figure).toArray());
  }
}
