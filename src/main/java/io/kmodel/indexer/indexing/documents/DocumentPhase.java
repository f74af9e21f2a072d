package io.kmodel.indexer.indexing.documents;

import io.kmodel.indexer.analysis.DocumentAnalysis;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.Duplicates;
import io.kmodel.indexer.indexing.options.FileLimits;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.options.NearDuplicates;
import io.kmodel.indexer.indexing.report.BuildLog;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildProgress.Stage;
import io.kmodel.indexer.indexing.report.DeviceSteps;
import io.kmodel.indexer.indexing.report.SkipLog;
import io.kmodel.indexer.indexing.report.SplitResult;
import io.kmodel.indexer.indexing.similar.SimilarFinder;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.store.disk.FreeFiles;
import io.kmodel.indexer.task.Workers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import org.apache.lucene.analysis.Analyzer;
import org.jspecify.annotations.Nullable;

/** Inverts splits into sorted runs, several splits side by side. */
public final class DocumentPhase {
  private final BuildOptions options;
  private final MemoryPlan plan;
  private final DeviceStages devices;
  private final BuildLog log;
  private final BuildProgress progress;

  /**
   * A phase.
   *
   * @param devices opens the devices
   */
  public DocumentPhase(
      BuildOptions options,
      MemoryPlan plan,
      DeviceStages devices,
      BuildLog log,
      BuildProgress progress) {
    this.options = options;
    this.plan = plan;
    this.devices = devices;
    this.log = log;
    this.progress = progress;
  }

  /**
   * Inverts all splits.
   *
   * @param directory for lists of what is skipped, and of ids
   * @param output takes the runs
   * @param saved readings that are not repeated
   * @throws BuildException if an interrupted build had other input, or a device was asked for that
   *     is not there
   */
  public void run(Splits splits, Path directory, BuildOutput output, SplitReading.Saved saved)
      throws IOException, InterruptedException {
    splits.awaitNext();
    InversionChoice choice = InversionChoice.of(options, plan, output.form());
    try (RunStage runs =
            RunStage.open(options, plan, devices, log.clock(), choice, splits.isLarge(choice));
        Analyzer analyzer = options.text().analysis().newAnalyzer()) {
      log.endPhase("scan");
      progress.enter(Stage.PARSE);
      runs.observe(new DeviceSteps(log.clock().timeline()));
      SimilarFinder finder = finder();
      SplitIndexer.Shared shared = shared(directory, output, finder);
      SplitReading reading = reading(shared, runs, saved, analyzer);
      List<SplitResult> results = reading.read(splits);
      // The memory of the runs is free between two passes.
      try (SkipLog similar = similar(directory)) {
        reading.handle(
            options.duplicates(),
            plan.runBytes(),
            (files, without) -> find(finder, files, without, similar));
        log.add(splits.skips());
        results.forEach(log::add);
        log.add(similar);
      }
      BuildOptions.Resources resources = options.resources();
      log.sorted(resources.withDevice(resources.device(), runs.pipeline()), runs.report());
    }
    log.endPhase("parse");
  }

  /** Finds near duplicates in the memory of all runs; null if they are not looked for. */
  private @Nullable SimilarFinder finder() {
    NearDuplicates near = options.near();
    long bytes = plan.runBytes() * options.resources().threads();
    return near.areFound() ? new SimilarFinder(bytes, near.threshold(), progress::beat) : null;
  }

  private SplitIndexer.Shared shared(
      Path directory, BuildOutput output, @Nullable SimilarFinder finder) {
    return new SplitIndexer.Shared(
        options.schema(),
        options.html(),
        options.source().maxNesting(),
        options.text().fields(),
        options.text().metadata(),
        output,
        directory,
        DocumentAnalysis.readsStrings(options.text().analysis(), options.schema()),
        options.duplicates() != Duplicates.KEEP || options.near().areSkipped(),
        finder,
        log.clock(),
        progress);
  }

  private SplitReading reading(
      SplitIndexer.Shared shared, RunStage runs, SplitReading.Saved saved, Analyzer analyzer) {
    return new SplitReading(
        (tasks, results) -> read(tasks, results, shared, runs, analyzer),
        shared.output(),
        saved,
        progress,
        () -> gate().guard());
  }

  /** The list of documents that are similar to earlier ones. */
  private SkipLog similar(Path directory) throws IOException {
    return options.near().areFound()
        ? new SkipLog(directory.resolve("similar.skipped"), progress.listener())
        : new SkipLog();
  }

  /**
   * Lists the documents that are similar to earlier ones.
   *
   * @return those to leave out
   */
  private List<@Nullable BitSet> find(
      @Nullable SimilarFinder finder,
      List<? extends @Nullable Path> signatures,
      List<@Nullable BitSet> leftOut,
      SkipLog similar)
      throws IOException, InterruptedException {
    List<@Nullable BitSet> none = new ArrayList<>(Collections.nCopies(leftOut.size(), null));
    if (finder == null) {
      return none;
    }
    boolean areSkipped = options.near().areSkipped();
    SkipReason reason = areSkipped ? SkipReason.NEAR_DUPLICATE : SkipReason.SIMILAR;
    List<@Nullable BitSet> found =
        finder.find(
            signatures,
            leftOut,
            (document, original, similarity) ->
                similar.skipped(
                    document,
                    reason,
                    String.format(
                        Locale.ROOT,
                        "similarity %.2f to %s in %s",
                        similarity,
                        original.document(),
                        original)));
    return areSkipped ? found : none;
  }

  /** Reads splits on all threads. */
  private void read(
      TaskQueue tasks,
      BiConsumer<SplitReading.Task, SplitResult> results,
      SplitIndexer.Shared shared,
      RunStage runs,
      Analyzer analyzer)
      throws IOException, InterruptedException {
    if (tasks.isEmpty()) {
      return;
    }
    int threads = threads(runs);
    DocumentGate gate = gate();
    Callable<Void> work =
        () -> {
          try (SplitIndexer indexer =
              new SplitIndexer(
                  shared,
                  runs.newRuns(DocumentAnalysis.of(options.text().analysis(), analyzer)),
                  gate.guard())) {
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
  private int threads(RunStage runs) {
    int free = FreeFiles.count();
    return FileLimits.parsers(
        runs.isAside() ? FileLimits.besideDevice(free) : free, options.resources().threads());
  }
}
