package io.kmodel.indexer.build;

import io.kmodel.indexer.build.BuildProgress.Stage;
import io.kmodel.indexer.build.JournalEntry.Begun;
import io.kmodel.indexer.parse.DocumentAnalysis;
import io.kmodel.indexer.sort.RadixKeySorter;
import io.kmodel.indexer.sort.SortStage;
import io.kmodel.indexer.sort.SortStages;
import io.kmodel.indexer.source.Crawl;
import io.kmodel.indexer.source.FileListener;
import io.kmodel.indexer.source.Split;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
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
    return SortStages.open(resources.device(), new RadixKeySorter());
  }

  /**
   * Runs it.
   *
   * @param directory where the build works, which the crawl does not consist of
   * @param journal of what is finished there
   * @throws BuildException if a build that is to be gone on with had other input
   */
  void run(WorkDirectory directory, BuildOutput output, BuildJournal journal)
      throws IOException, InterruptedException {
    Crawl crawl = scan(directory);
    progress.expectBytes(crawl.bytes());
    List<Split> splits = cut(crawl, directory, journal);
    log.endPhase("scan");
    progress.enter(Stage.PARSE);
    try (SortStage sorters = sorting.get();
        Analyzer analyzer = options.text().analysis().newAnalyzer()) {
      sorters.observe(new DeviceSteps(log.clock().timeline()));
      parse(splits, analyzer, directory.runs(), output, sorters).forEach(log::add);
      log.sorted(options.resources(), sorters.report());
    }
    log.endPhase("parse");
  }

  /** The pieces that are read side by side. */
  static List<Split> splits(Crawl crawl, int threads) {
    return crawl.splits(crawl.splitBytes(threads));
  }

  private Crawl scan(WorkDirectory directory) throws IOException {
    boolean resumes = directory.sealed().begun() != null;
    Path list = directory.runs().resolve("scan.skipped");
    try (SkipLog skips = new SkipLog(list, progress.listener());
        InputList files =
            resumes ? InputList.compare(directory.input()) : InputList.write(directory.input())) {
      FileListener listener =
          (root, path, size, modified) -> {
            files.file(root, path, size, modified);
            progress.beat();
          };
      Crawl crawl = Crawl.open(options.roots(), directory.all(), options.source(), skips, listener);
      files.end();
      log.add(skips);
      return crawl;
    }
  }

  /** The splits: as they were, where a build goes on. */
  private List<Split> cut(Crawl crawl, WorkDirectory directory, BuildJournal journal) {
    Begun begun = directory.sealed().begun();
    if (begun != null) {
      List<Split> splits = crawl.splits(begun.splitBytes());
      if (splits.size() != begun.splits()) {
        throw new BuildException(
            "the input is not what the interrupted build began with: it is cut into %,d splits, and was into %,d; start anew with --restart"
                .formatted(splits.size(), begun.splits()));
      }
      return splits;
    }
    long splitBytes = crawl.splitBytes(options.resources().threads());
    List<Split> splits = crawl.splits(splitBytes);
    journal.begin(splitBytes, splits.size(), directory.input());
    return splits;
  }

  private List<SplitIndexer.Result> parse(
      List<Split> splits, Analyzer analyzer, Path directory, BuildOutput output, SortStage sorters)
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
            splits, (tasks, results) -> read(tasks, results, shared, analyzer), output, progress);
    List<SplitIndexer.Result> results = reading.read();
    // The runs' memory is free between two passes.
    reading.handle(options.duplicates(), plan.runBytes());
    return results;
  }

  /** One pass over some splits. */
  private void read(
      List<SplitReading.Task> tasks,
      List<SplitIndexer.Result> results,
      SplitIndexer.Shared shared,
      Analyzer analyzer)
      throws IOException, InterruptedException {
    if (tasks.isEmpty()) {
      return;
    }
    int threads = OpenFiles.parsers(OpenFiles.free(), options.resources().threads());
    DocumentGate gate = new DocumentGate(plan.documentHeapBytes(), threads);
    Queue<SplitReading.Task> queue = new ConcurrentLinkedQueue<>(tasks);
    Callable<Void> work =
        () -> {
          try (SplitIndexer indexer =
              new SplitIndexer(
                  shared,
                  DocumentAnalysis.of(options.text().analysis(), analyzer),
                  gate.lane(),
                  plan.runBytes())) {
            for (SplitReading.Task task = queue.poll(); task != null; task = queue.poll()) {
              results.set(task.split().ordinal(), indexer.index(task));
            }
            indexer.finish();
          }
          return null;
        };
    try (Workers workers = Workers.givingWay("parse", threads)) {
      workers.runAll(Collections.nCopies(threads, work));
    }
  }

  /** Run buffers of a thread. */
  private int buffers(SortStage sorters) {
    return sorters.isAside() && options.resources().pipeline() == Pipeline.OVERLAPPED ? 2 : 1;
  }
}
