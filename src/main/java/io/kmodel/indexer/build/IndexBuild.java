package io.kmodel.indexer.build;

import io.kmodel.indexer.build.BuildProgress.Stage;
import io.kmodel.indexer.build.StageClock.Work;
import io.kmodel.indexer.index.FieldStatistics;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.InvertedIndexWriter;
import io.kmodel.indexer.index.Schema;
import io.kmodel.indexer.parse.Analyzers;
import io.kmodel.indexer.parse.DocumentAnalysis;
import io.kmodel.indexer.parse.HtmlCounts;
import io.kmodel.indexer.sort.RadixKeySorter;
import io.kmodel.indexer.source.Crawl;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.source.Split;
import io.kmodel.indexer.store.Directories;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.lucene.analysis.Analyzer;

/**
 * Builds an index: scan the crawl and cut it into splits, parse each split into sorted runs, merge
 * the runs by term range, put the files together, and move the index to its place. The index's
 * files depend on the documents and on {@link BuildOptions}' content options only, never on threads
 * or memory.
 *
 * <p>Blocked sort-based indexing: Capannini, Silvestri, Baraglia, §7 and Fig. 7.
 */
public final class IndexBuild {
  /** Splits per thread: the last ones to end leave little of the machine idle. */
  private static final int SPLITS_PER_THREAD = 6;

  /** More, each a run at least, could want a further pass of merging. */
  private static final int MAX_SPLITS = 384;

  private final BuildOptions options;
  private final BuildProgress progress;
  private final MemoryPlan plan;
  private final Schema schema;
  private final StageClock clock = new StageClock();
  private final List<SkipLog> logs = new ArrayList<>();
  private final SkipLog skips = new SkipLog();
  private final HtmlCounts html = new HtmlCounts();
  private final List<BuildReport.Phase> phases = new ArrayList<>();
  private long phaseStart;

  /**
   * Prepares a build.
   *
   * @throws IllegalArgumentException if the memory budget does not suffice
   */
  public IndexBuild(BuildOptions options, BuildProgress progress) {
    this(options, progress, MemoryPlan.of(options.resources()));
  }

  /** A build with a plan of its own for the memory, which need not keep to the budget. */
  IndexBuild(BuildOptions options, BuildProgress progress, MemoryPlan plan) {
    this.options = options;
    this.progress = progress;
    this.plan = plan;
    this.schema = options.schema();
    // A name that is not known is better heard of before anything is read.
    Analyzers.named(options.analyzer()).close();
  }

  /**
   * Builds the index.
   *
   * @throws BuildException if the options cannot work; nothing was written then
   * @throws IOException if reading or writing failed; nothing half-made stays
   */
  public BuildReport run() throws IOException, InterruptedException {
    long start = System.nanoTime();
    phaseStart = start;
    try (Analyzer analyzer = Analyzers.named(options.analyzer());
        WorkDirectory directory = WorkDirectory.create(options.output(), options.overwrite())) {
      Path scanSkips = directory.runs().resolve("scan.skipped");
      Crawl crawl;
      try (SkipLog log = new SkipLog(scanSkips)) {
        crawl = Crawl.open(options.roots(), directory.all(), options.source(), log);
        logs.add(log);
      }
      progress.expectBytes(crawl.bytes());
      endPhase("scan");
      progress.enter(Stage.PARSE);
      List<SplitIndexer.Result> parsed = parse(crawl, analyzer, directory);
      endPhase("parse");
      progress.enter(Stage.MERGE);
      int runs = merge(parsed, directory);
      progress.enter(Stage.FINISH);
      listSkipped(directory.index().resolve(BuildReport.SKIPPED_FILE_NAME), parsed);
      BuildReport report = report(directory.index(), parsed, runs, start);
      report.write(directory.index());
      directory.publish();
      progress.enter(Stage.DONE);
      return report;
    }
  }

  private List<SplitIndexer.Result> parse(Crawl crawl, Analyzer analyzer, WorkDirectory directory)
      throws IOException, InterruptedException {
    int threads = options.resources().threads();
    int wanted = Math.max(threads, Math.min(threads * SPLITS_PER_THREAD, MAX_SPLITS));
    List<Split> splits = crawl.splits(Math.max(1, crawl.bytes() / wanted));
    SplitIndexer.Shared shared =
        new SplitIndexer.Shared(
            schema,
            options.html(),
            directory.runs(),
            new RadixKeySorter(),
            options.duplicates() != Duplicates.KEEP,
            clock,
            progress);
    SplitReading reading =
        new SplitReading(
            splits, (tasks, results) -> read(tasks, results, shared, analyzer), progress);
    List<SplitIndexer.Result> results = reading.read();
    // The runs' memory is free between two passes.
    reading.handle(options.duplicates(), plan.runBytes());
    return results;
  }

  private void read(
      List<SplitReading.Task> tasks,
      List<SplitIndexer.Result> results,
      SplitIndexer.Shared shared,
      Analyzer analyzer)
      throws IOException, InterruptedException {
    if (tasks.isEmpty()) {
      return;
    }
    int threads = options.resources().threads();
    DocumentGate gate = new DocumentGate(plan.documentHeapBytes(), threads);
    Queue<SplitReading.Task> queue = new ConcurrentLinkedQueue<>(tasks);
    Callable<Void> work =
        () -> {
          try (SplitIndexer indexer =
              new SplitIndexer(
                  shared,
                  DocumentAnalysis.of(options.analyzer(), analyzer),
                  gate.lane(),
                  plan.runBytes())) {
            for (SplitReading.Task task = queue.poll(); task != null; task = queue.poll()) {
              results.set(task.split().ordinal(), indexer.index(task.split(), task.leftOut()));
            }
          }
          return null;
        };
    try (Workers workers = new Workers("parse", threads)) {
      workers.runAll(Collections.nCopies(threads, work));
    }
  }

  /** Puts the lists of what was left out together, in the collection's order. */
  private void listSkipped(Path target, List<SplitIndexer.Result> parsed) throws IOException {
    parsed.forEach(result -> logs.add(result.skips()));
    try (OutputStream out = Files.newOutputStream(target)) {
      for (SkipLog log : logs) {
        log.copyTo(out);
        skips.addAll(log);
      }
    }
    parsed.forEach(result -> html.addAll(result.html()));
  }

  private int merge(List<SplitIndexer.Result> parsed, WorkDirectory directory)
      throws IOException, InterruptedException {
    int threads = options.resources().threads();
    List<SealedRun> sealed = parsed.stream().flatMap(r -> r.runs().stream()).sorted().toList();
    long documents = sealed.stream().mapToLong(SealedRun::documents).sum();
    int documentCount = Math.toIntExact(documents);
    try (InvertedIndexWriter index = new InvertedIndexWriter(directory.index(), schema);
        Workers workers = new Workers("merge", threads);
        OpenRuns runs =
            OpenRuns.open(
                sealed.stream().map(SealedRun::file).toList(),
                schema,
                workers,
                OpenRuns.Limits.of(threads, plan.mergeBytes()))) {
      new RunMerge(runs, index, clock, progress).merge(workers, threads);
      endPhase("merge");
      long start = System.nanoTime();
      for (SplitIndexer.Result split : parsed) {
        if (split.documents() != null) {
          index.appendDocuments(split.documents());
        }
      }
      index.finish(documentCount, contentOptions());
      clock.lap(Work.ASSEMBLE, start);
      endPhase("finish");
    }
    return sealed.size();
  }

  /** The options that the index's content depends on; they stand in its metadata. */
  private Map<String, String> contentOptions() {
    Map<String, String> content = new TreeMap<>();
    content.put("analyzer", options.analyzer());
    content.put("docno", name(options.source().docno()));
    content.put("duplicates", name(options.duplicates()));
    content.put("format", name(options.source().format()));
    content.put("positions", String.valueOf(options.positions()));
    content.put("store", options.store().name().toLowerCase(Locale.ROOT));
    return content;
  }

  private void endPhase(String name) {
    long now = System.nanoTime();
    phases.add(new BuildReport.Phase(name, (now - phaseStart) / 1e9));
    phaseStart = now;
  }

  private BuildReport report(Path directory, List<SplitIndexer.Result> parsed, int runs, long start)
      throws IOException {
    Content content = content(directory);
    clock.produced(
        Work.MERGE,
        Directories.bytes(directory, "postings.") + Directories.bytes(directory, "terms."));
    clock.produced(Work.ASSEMBLE, Directories.bytes(directory, ""));
    return new BuildReport(
        options.output().toString(),
        contentOptions(),
        (System.nanoTime() - start) / 1e9,
        content.documents(),
        content.tokens(),
        content.terms(),
        content.postings(),
        runs,
        parsed.stream().mapToLong(SplitIndexer.Result::sourceBytes).sum(),
        Directories.bytes(directory, ""),
        ProcessMemory.peakResidentBytes(),
        htmlReport(),
        content.sharedIds(),
        skips.total(),
        byReason(SkipReason.Kind.LOST),
        skips.total(SkipReason.Kind.IN_PART),
        byReason(SkipReason.Kind.PASSED),
        examplesByReason(),
        List.copyOf(phases),
        workDone());
  }

  private record Content(int documents, long sharedIds, long terms, long postings, long tokens) {}

  /** What the finished index says of itself. */
  private Content content(Path directory) throws IOException {
    long terms = 0;
    long postings = 0;
    long tokens = 0;
    try (InvertedIndex index = InvertedIndex.open(directory)) {
      for (int field = 0; field < schema.size(); field++) {
        FieldStatistics statistics = index.statistics(field);
        terms += statistics.terms();
        postings += statistics.postings();
        tokens += schema.field(field).tokenized() ? statistics.tokens() : 0;
      }
      long ids = index.statistics(schema.ordinal(Schema.ID)).terms();
      long shared = index.documentCount() - ids;
      return new Content(index.documentCount(), shared, terms, postings, tokens);
    }
  }

  private BuildReport.Html htmlReport() {
    Map<String, Long> unsure = new TreeMap<>();
    html.unsure().forEach((why, count) -> unsure.put(name(why), count));
    return new BuildReport.Html(html.fast(), html.jsoup(), unsure);
  }

  private Map<String, Long> byReason(SkipReason.Kind kind) {
    Map<String, Long> counts = new TreeMap<>();
    skips
        .counts()
        .forEach(
            (reason, count) -> {
              if (reason.kind() == kind) {
                counts.put(reason.label(), count);
              }
            });
    return counts;
  }

  private Map<String, List<String>> examplesByReason() {
    Map<String, List<String>> examples = new TreeMap<>();
    skips
        .examples()
        .forEach(
            (reason, kept) -> {
              if (reason.kind() != SkipReason.Kind.PASSED) {
                examples.put(
                    reason.label(), kept.stream().map(s -> s.place() + ": " + s.detail()).toList());
              }
            });
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
