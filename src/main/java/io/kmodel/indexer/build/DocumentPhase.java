package io.kmodel.indexer.build;

import io.kmodel.indexer.build.BuildProgress.Stage;
import io.kmodel.indexer.parse.Analyzers;
import io.kmodel.indexer.parse.DocumentAnalysis;
import io.kmodel.indexer.sort.RadixKeySorter;
import io.kmodel.indexer.source.Crawl;
import io.kmodel.indexer.source.Split;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.lucene.analysis.Analyzer;

/**
 * The first half of every build: scan the crawl, cut it into splits, and make each split's
 * documents into sorted runs, several splits side by side.
 */
final class DocumentPhase {
  /** Splits per thread: the last ones to end leave little of the machine idle. */
  private static final int SPLITS_PER_THREAD = 6;

  /** More, each a run at least, could want a further pass of merging. */
  private static final int MAX_SPLITS = 384;

  private final BuildOptions options;
  private final MemoryPlan plan;
  private final BuildLog log;
  private final BuildProgress progress;

  DocumentPhase(BuildOptions options, MemoryPlan plan, BuildLog log, BuildProgress progress) {
    this.options = options;
    this.plan = plan;
    this.log = log;
    this.progress = progress;
  }

  /**
   * Runs it.
   *
   * @param hidden directories that the crawl does not consist of
   */
  void run(List<Path> hidden, BuildOutput output) throws IOException, InterruptedException {
    Crawl crawl =
        Crawl.open(options.roots(), hidden, Crawl.LARGEST_MAX_DOCUMENT_BYTES, log.skips());
    progress.expectBytes(crawl.bytes());
    log.endPhase("scan");
    progress.enter(Stage.PARSE);
    try (Analyzer analyzer = Analyzers.named(options.analyzer())) {
      parse(crawl, analyzer, output);
    }
    log.endPhase("parse");
  }

  private void parse(Crawl crawl, Analyzer analyzer, BuildOutput output)
      throws IOException, InterruptedException {
    int threads = options.resources().threads();
    int wanted = Math.max(threads, Math.min(threads * SPLITS_PER_THREAD, MAX_SPLITS));
    List<Split> splits = crawl.splits(Math.max(1, crawl.bytes() / wanted));
    DocumentGate gate = new DocumentGate(plan.documentHeapBytes(), threads);
    Queue<Split> queue = new ConcurrentLinkedQueue<>(splits);
    SplitIndexer.Shared shared =
        new SplitIndexer.Shared(
            options.schema(),
            options.html(),
            output,
            new RadixKeySorter(),
            log.skips(),
            log.clock(),
            progress);
    Callable<Void> work =
        () -> {
          try (SplitIndexer indexer =
              new SplitIndexer(
                  shared,
                  DocumentAnalysis.of(options.analyzer(), analyzer),
                  gate.lane(),
                  plan.runBytes())) {
            for (Split split = queue.poll(); split != null; split = queue.poll()) {
              indexer.index(split);
            }
            log.pages(indexer.htmlCounts());
          }
          return null;
        };
    try (Workers workers = new Workers("parse", threads)) {
      workers.runAll(Collections.nCopies(threads, work));
    }
  }
}
