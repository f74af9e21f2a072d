package io.kmodel.indexer.build;

import io.kmodel.indexer.build.StageClock.Work;
import io.kmodel.indexer.parse.HtmlCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What a build notes of itself on its way, for the report at its end. */
final class BuildLog {
  private final StageClock clock = new StageClock();
  private final SkipLog skips = new SkipLog();
  private final HtmlCounts html = new HtmlCounts();
  private final List<BuildReport.Phase> phases = new ArrayList<>();
  private long start;
  private long phaseStart;

  /**
   * What a finished index says of itself.
   *
   * @param terms distinct ones, -1 where that is not known
   */
  record Content(int documents, long terms, long postings, long tokens) {}

  /** Safe for many threads. */
  StageClock clock() {
    return clock;
  }

  /** Safe for many threads. */
  SkipLog skips() {
    return skips;
  }

  /** The build begins, and its first phase. */
  void start() {
    start = System.nanoTime();
    phaseStart = start;
  }

  /** A phase has ended, and the next begins. */
  void endPhase(String name) {
    long now = System.nanoTime();
    phases.add(new BuildReport.Phase(name, (now - phaseStart) / 1e9));
    phaseStart = now;
  }

  /** Adds how a thread's pages were read. */
  synchronized void pages(HtmlCounts counts) {
    html.addAll(counts);
  }

  BuildReport report(BuildOptions options, Content content, int runs, long bytes) {
    return new BuildReport(
        options.output().toString(),
        options.content(),
        (System.nanoTime() - start) / 1e9,
        content.documents(),
        content.tokens(),
        content.terms(),
        content.postings(),
        runs,
        clock.bytes(Work.READ),
        bytes,
        ProcessMemory.peakResidentBytes(),
        htmlReport(),
        skips.total(),
        skippedByReason(),
        examplesByReason(),
        List.copyOf(phases),
        workDone());
  }

  private BuildReport.Html htmlReport() {
    Map<String, Long> unsure = new TreeMap<>();
    html.unsure().forEach((why, count) -> unsure.put(name(why), count));
    return new BuildReport.Html(html.fast(), html.jsoup(), unsure);
  }

  private Map<String, Long> skippedByReason() {
    Map<String, Long> skipped = new TreeMap<>();
    skips.counts().forEach((reason, count) -> skipped.put(reason.label(), count));
    return skipped;
  }

  private Map<String, List<String>> examplesByReason() {
    Map<String, List<String>> examples = new TreeMap<>();
    skips
        .examples()
        .forEach(
            (reason, kept) ->
                examples.put(
                    reason.label(),
                    kept.stream().map(s -> s.place() + ": " + s.detail()).toList()));
    return examples;
  }

  private List<BuildReport.WorkDone> workDone() {
    List<BuildReport.WorkDone> work = new ArrayList<>();
    for (Work kind : Work.values()) {
      work.add(new BuildReport.WorkDone(name(kind), clock.seconds(kind), clock.bytes(kind)));
    }
    return work;
  }

  private static String name(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
