package io.kmodel.indexer.indexing.documents;

import io.kmodel.indexer.analysis.DocumentAnalysis;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.Duplicates;
import io.kmodel.indexer.indexing.options.FileLimits;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.options.Pipeline;
import io.kmodel.indexer.indexing.report.BuildLog;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildProgress.Stage;
import io.kmodel.indexer.indexing.report.DeviceSteps;
import io.kmodel.indexer.indexing.report.SplitResult;
import io.kmodel.indexer.sort.SortStage;
import io.kmodel.indexer.sort.SortStages;
import io.kmodel.indexer.store.disk.FreeFiles;
import io.kmodel.indexer.task.Workers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.apache.lucene.analysis.Analyzer;

/** Inverts the splits of a crawl into sorted runs, several splits side by side. */
public final class DocumentPhase {
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
  public DocumentPhase(
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
   * Opens the device that the user has chosen to sort with.
   *
   * @throws IllegalArgumentException if it is missing
   */
  public static SortStage openSorters(BuildOptions.Resources resources) {
    return SortStages.open(resources.device());
  }

  /**
   * Inverts the splits of a crawl.
   *
   * @param directory for lists of what is skipped, and of ids
   * @param output takes the runs
   * @param saved readings that are not repeated
   * @throws BuildException if an interrupted build had other input, or a device was asked for that
   *     is not there
   */
  public void run(CrawlScan scan, Path directory, BuildOutput output, SplitReading.Saved saved)
      throws IOException, InterruptedException {
    // Opening a device takes some tenths of a second, in which the crawl is listed.
    try (SortStage sorters = sorters();
        Analyzer analyzer = options.text().analysis().newAnalyzer()) {
      scan.awaitNext();
      log.endPhase("scan");
      progress.enter(Stage.PARSE);
      sorters.observe(new DeviceSteps(log.clock().timeline()));
      List<SplitResult> results = parse(scan, shared(directory, output, sorters), saved, analyzer);
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

  private SplitIndexer.Shared shared(Path directory, BuildOutput output, SortStage sorters) {
    return new SplitIndexer.Shared(
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
  }

  private List<SplitResult> parse(
      CrawlScan scan, SplitIndexer.Shared shared, SplitReading.Saved saved, Analyzer analyzer)
      throws IOException, InterruptedException {
    SplitReading reading =
        new SplitReading(
            (tasks, results) -> read(tasks, results, shared, analyzer),
            shared.output(),
            saved,
            progress,
            () -> gate().guard());
    List<SplitResult> results = reading.read(scan);
    // The memory of the runs is free between two passes.
    reading.handle(options.duplicates(), plan.runBytes());
    return results;
  }

  /** Reads splits on all threads. */
  private void read(
      TaskQueue tasks,
      BiConsumer<SplitReading.Task, SplitResult> results,
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

  /** The shares are the same in each pass, even if few files limit the threads. */
  private DocumentGate gate() {
    return new DocumentGate(plan, options.resources().threads());
  }

  /** Number of threads that read: as many as the open files allow. */
  private int threads(SortStage sorters) {
    int free = FreeFiles.count();
    return FileLimits.parsers(
        sorters.isAside() ? FileLimits.besideDevice(free) : free, options.resources().threads());
  }

  /** Number of run buffers per thread. */
  private int buffers(SortStage sorters) {
    return sorters.isAside() && options.resources().pipeline() == Pipeline.OVERLAPPED ? 2 : 1;
  }
}
