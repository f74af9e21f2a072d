package io.kmodel.indexer.build;

import io.kmodel.indexer.build.BuildProgress.Stage;
import io.kmodel.indexer.parse.DocumentAnalysis;
import io.kmodel.indexer.sort.SortStage;
import io.kmodel.indexer.sort.SortStages;
import io.kmodel.indexer.store.FreeFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.apache.lucene.analysis.Analyzer;

/**
 * The first half of every build: scan the crawl, cut it into splits, and make each split's
 * documents into sorted runs, several splits side by side.
 */
final class DocumentPhase {
  private final BuildOptions options;
  private final MemoryPlan plan;
  private final Supplier<SortStage> sorting;
  private final BuildLog log;
  private final BuildProgress progress;

  /**
   * A phase.
   *
   * @param sorting opens what sorts the runs
   */
  DocumentPhase(
      BuildOptions options,
      MemoryPlan plan,
      Supplier<SortStage> sorting,
      BuildLog log,
      BuildProgress progress) {
    this.options = options;
    this.plan = plan;
    this.sorting = sorting;
    this.log = log;
    this.progress = progress;
  }

  /**
   * What the user has chosen to sort with.
   *
   * @throws IllegalArgumentException if that is not there
   */
  static SortStage openSorters(BuildOptions.Resources resources) {
    return SortStages.open(resources.device());
  }

  /**
   * Runs it.
   *
   * @param directory where the build works, which the crawl does not consist of
   * @param journal of what is finished there
   * @throws BuildException if a build that is to be gone on with had other input, or a device was
   *     asked for that is not there
   */
  void run(WorkDirectory directory, BuildOutput output, BuildJournal journal)
      throws IOException, InterruptedException {
    try (CrawlScan scan = new CrawlScan(options, directory, journal, progress);
        // Devices that were asked for take some tenths of a second, in which the crawl is listed.
        SortStage sorters = sorters();
        Analyzer analyzer = options.text().analysis().newAnalyzer()) {
      scan.awaitNext();
      log.endPhase("scan");
      progress.enter(Stage.PARSE);
      sorters.observe(new DeviceSteps(log.clock().timeline()));
      List<SplitIndexer.Result> results = parse(scan, analyzer, directory.runs(), output, sorters);
      log.add(scan.skips());
      results.forEach(log::add);
      log.sorted(options.resources(), sorters.report());
    }
    log.endPhase("parse");
  }

  private SortStage sorters() {
    try {
      return sorting.get();
    } catch (IllegalArgumentException e) {
      throw new BuildException(String.valueOf(e.getMessage()));
    }
  }

  private List<SplitIndexer.Result> parse(
      CrawlScan scan, Analyzer analyzer, Path directory, BuildOutput output, SortStage sorters)
      throws IOException, InterruptedException {
    SplitIndexer.Shared shared =
        new SplitIndexer.Shared(
            options.schema(),
            options.html(),
            options.source().maxNesting(),
            options.text().fields(),
            output,
            sorters,
            buffers(sorters),
            directory,
            options.duplicates() != Duplicates.KEEP,
            log.clock(),
            progress);
    SplitReading reading =
        new SplitReading(
            (tasks, results) -> read(tasks, results, shared, analyzer),
            output,
            progress,
            () -> gate().guard());
    List<SplitIndexer.Result> results = reading.read(scan);
    // The runs' memory is free between two passes.
    reading.handle(options.duplicates(), plan.runBytes());
    return results;
  }

  /** One pass over some splits. */
  private void read(
      TaskQueue tasks,
      BiConsumer<SplitReading.Task, SplitIndexer.Result> results,
      SplitIndexer.Shared shared,
      Analyzer analyzer)
      throws IOException, InterruptedException {
    if (tasks.isEmpty()) {
      return;
    }
    int threads = threads(shared.sorters());
    DocumentGate gate = gate();
    Callable<Void> work =
        () -> {
          try (SplitIndexer indexer =
              new SplitIndexer(
                  shared,
                  DocumentAnalysis.of(options.text().analysis(), analyzer),
                  gate.guard(),
                  plan.runBytes())) {
            for (SplitReading.Task task = tasks.poll(); task != null; task = tasks.poll()) {
              results.accept(task, indexer.index(task));
            }
            indexer.finish();
          }
          return null;
        };
    try (Workers workers = Workers.givingWay("parse", threads)) {
      workers.runAll(Collections.nCopies(threads, work));
    }
  }

  /** With shares that are the same in each pass, however many threads there are files for. */
  private DocumentGate gate() {
    return new DocumentGate(plan, options.resources().threads());
  }

  /** Those that read, as many as there are files for that may be open. */
  private int threads(SortStage sorters) {
    int free = FreeFiles.count();
    return FileLimits.parsers(
        sorters.isAside() ? FileLimits.besideDevice(free) : free, options.resources().threads());
  }

  /** Run buffers of a thread. */
  private int buffers(SortStage sorters) {
    return sorters.isAside() && options.resources().pipeline() == Pipeline.OVERLAPPED ? 2 : 1;
  }
}
