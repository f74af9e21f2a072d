package io.kmodel.indexer.experiment.race;

import io.kmodel.indexer.experiment.Spread;
import java.util.Arrays;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** A table with medians and spreads of a race. */
public final class RaceSummary {
  private final List<RaceResult> ours;
  private final List<RaceResult> theirs;
  private final List<RaceResult> own;
  private final List<RaceResult> words;

  public RaceSummary(List<RaceResult> results) {
    this.ours = of(results, "indexer");
    this.theirs = of(results, "lucene");
    this.own = of(results, "own");
    this.words = of(results, "words");
  }

  private static List<RaceResult> of(List<RaceResult> results, String contestant) {
    return results.stream().filter(r -> r.contestant().equals(contestant)).toList();
  }

  /** Lucene's time divided by this program's, median of the rounds' ratios. */
  public double ratio() {
    return Spread.median(ratios(theirs, ours));
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    try (Formatter out = new Formatter(text, Locale.ROOT)) {
      RaceResult any = ours.getFirst();
      out.format(
          "%,d documents, %,d tokens, %.1f MB of source, %d rounds%n",
          any.documents(), any.tokens(), any.sourceBytes() / 1e6, ours.size());
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
      row(out, "indexer", ours);
      row(out, "lucene", theirs);
      row(out, "own", own);
      row(out, "words", words);
      ratio(out, "lucene / indexer", ratios(theirs, ours));
      ratio(out, "lucene / own", ratios(theirs, own));
      ratio(out, "indexer / words", ratios(ours, words));
      ratio(out, "own / words", ratios(own, words));
      Spread merge = Spread.of(own.stream().mapToDouble(RaceSummary::mergeShare).toArray());
      out.format(
          "own, share of its merge: %.1f %% (%.1f–%.1f)%n",
          merge.median(), merge.least(), merge.most());
      stages(out, "indexer", ours);
      stages(out, "lucene", theirs);
      stages(out, "own", own);
      stages(out, "words", words);
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

  private static void ratio(Formatter out, String name, double[] ratios) {
    out.format(
        "ratio %s: %.2f (%.2f–%.2f)%n",
        name,
        Spread.median(ratios),
        Arrays.stream(ratios).min().orElse(0),
        Arrays.stream(ratios).max().orElse(0));
  }

  private static void row(Formatter out, String name, List<RaceResult> results) {
    double seconds = median(results, RaceResult::seconds);
    RaceResult any = results.getFirst();
    out.format(
        "%-10s %8.2f (%.2f–%.2f) %10.0f %10.1f %10.2f %9.1f %10.0f %10.1f %9.0f%n",
        name,
        seconds,
        results.stream().mapToDouble(RaceResult::seconds).min().orElse(0),
        results.stream().mapToDouble(RaceResult::seconds).max().orElse(0),
        any.documents() / seconds,
        any.sourceBytes() / 1e6 / seconds,
        any.tokens() / 1e6 / seconds,
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
