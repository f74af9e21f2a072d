package io.kmodel.indexer.indexing.report;

import io.kmodel.indexer.sort.SortReport;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** Adds the reports of an index's parts to that of the process that joined them. */
final class JoinedReport {
  private final BuildReport own;
  private final List<BuildReport> parts;

  /** The joining process's report first, then those of the parts. */
  private final List<BuildReport> all = new ArrayList<>();

  private JoinedReport(BuildReport own, List<BuildReport> parts) {
    this.own = own;
    this.parts = parts;
    all.add(own);
    all.addAll(parts);
  }

  static BuildReport of(BuildReport own, List<BuildReport> parts) {
    return new JoinedReport(own, parts).join();
  }

  private BuildReport join() {
    return new BuildReport(
        own.output(),
        own.options(),
        own.seconds(),
        own.documents(),
        own.tokens(),
        own.distinctTerms(),
        own.postings(),
        (int) sum(BuildReport::runs),
        sum(BuildReport::sourceBytes),
        sources(),
        own.indexBytes(),
        all.stream().mapToLong(BuildReport::peakMemoryBytes).max().orElse(-1),
        new BuildReport.Html(
            sum(part -> part.html().fast()),
            sum(part -> part.html().jsoup()),
            counts(part -> part.html().unsure())),
        new BuildReport.JsonObjects(
            sum(part -> part.json().fast()),
            sum(part -> part.json().jackson()),
            counts(part -> part.json().unsure())),
        sorting(),
        own.sharedIds(),
        sum(BuildReport::skippedDocuments),
        counts(BuildReport::skipped),
        sum(BuildReport::keptInPart),
        counts(BuildReport::noted),
        counts(BuildReport::passedOver),
        counts(BuildReport::unusedMembers),
        own.emptyColumns(),
        examples(),
        own.oneCore(),
        own.phases(),
        work(),
        own.fields(),
        own.topTerms(),
        own.files(),
        own.execution(),
        own.origin());
  }

  private long sum(ToLongFunction<BuildReport> figure) {
    return all.stream().mapToLong(figure).sum();
  }

  private Map<String, Long> counts(Function<BuildReport, Map<String, Long>> figures) {
    Map<String, Long> sums = new TreeMap<>();
    all.forEach(part -> figures.apply(part).forEach((name, n) -> sums.merge(name, n, Long::sum)));
    return sums;
  }

  private Map<String, BuildReport.Source> sources() {
    Map<String, BuildReport.Source> sums = new TreeMap<>();
    all.forEach(
        part -> part.sources().forEach((name, n) -> sums.merge(name, n, BuildReport.Source::plus)));
    return sums;
  }

  private Map<String, List<String>> examples() {
    Map<String, List<String>> joined = new TreeMap<>();
    for (BuildReport part : all) {
      part.examples()
          .forEach(
              (reason, more) -> {
                List<String> kept = joined.computeIfAbsent(reason, r -> new ArrayList<>());
                more.stream().limit(SkipLog.KEPT_PER_REASON - kept.size()).forEach(kept::add);
              });
    }
    return joined;
  }

  /** The parts sort with the CPU. */
  private BuildReport.Sorting sorting() {
    if (parts.isEmpty()) {
      return own.sorting();
    }
    BuildReport.Sorting first = parts.getFirst().sorting();
    return new BuildReport.Sorting(
        first.device(),
        first.pipeline(),
        parts.stream().mapToDouble(part -> part.sorting().threadSeconds()).sum(),
        new SortReport(
            List.of(),
            sum(part -> part.sorting().stage().cpuRuns()),
            Map.of("on a cluster", sum(part -> part.sorting().stage().cpuRuns())),
            0));
  }

  private List<BuildReport.WorkDone> work() {
    Map<String, BuildReport.WorkDone> sums = new LinkedHashMap<>();
    for (BuildReport part : all) {
      for (BuildReport.WorkDone done : part.work()) {
        sums.merge(
            done.name(),
            done,
            (a, b) ->
                new BuildReport.WorkDone(
                    a.name(), a.threadSeconds() + b.threadSeconds(), a.bytes() + b.bytes()));
      }
    }
    return List.copyOf(sums.values());
  }
}
