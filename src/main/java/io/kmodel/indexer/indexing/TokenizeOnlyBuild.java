package io.kmodel.indexer.indexing;

import io.kmodel.indexer.index.model.ColumnType;
import io.kmodel.indexer.index.model.ColumnValues;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.indexing.documents.BuildOutput;
import io.kmodel.indexer.indexing.documents.CrawlScan;
import io.kmodel.indexer.indexing.documents.DeviceStages;
import io.kmodel.indexer.indexing.documents.DocumentPhase;
import io.kmodel.indexer.indexing.documents.SplitOutput;
import io.kmodel.indexer.indexing.journal.Checkpoints;
import io.kmodel.indexer.indexing.journal.OutputPlace;
import io.kmodel.indexer.indexing.journal.Reading;
import io.kmodel.indexer.indexing.journal.WorkDirectory;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.report.BuildLog;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildProgress.Stage;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.run.OrderedRun;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * Tokenizes a crawl, interns the terms and makes their keys like a build that merges nothing, with
 * its threads and memory, but drops each run when it is full. This is the part of a build before
 * sorting, for comparing whole builds with it. The work directory is deleted at the end.
 */
public final class TokenizeOnlyBuild {
  private final BuildOptions options;
  private final BuildProgress progress;
  private final MemoryPlan plan;

  /**
   * Prepares it.
   *
   * @param options of the build that it is compared with; their output is the work directory, which
   *     must not exist
   * @throws IllegalArgumentException if the memory budget is too small
   */
  public TokenizeOnlyBuild(BuildOptions options, BuildProgress progress) {
    this(options, progress, MemoryPlan.of(options, false));
  }

  /** With a memory plan that may exceed the budget. */
  TokenizeOnlyBuild(BuildOptions options, BuildProgress progress, MemoryPlan plan) {
    this.options = options;
    this.progress = progress;
    this.plan = plan;
  }

  /**
   * Reads the crawl.
   *
   * @return documents, tokens, skipped documents and the time; nothing about an index
   * @throws BuildException if the options cannot work
   * @throws IOException if reading failed, or writing lists of skipped documents
   */
  public BuildReport run() throws IOException, InterruptedException {
    OutputPlace.requireApart(options.roots(), options.output(), null);
    Forgetting output = new Forgetting();
    try (WorkDirectory directory = WorkDirectory.create(options.output(), null);
        BuildLog log = BuildLog.start(progress)) {
      try (CrawlScan splits = new CrawlScan(options, directory, Checkpoints.none(), progress)) {
        new DocumentPhase(options, plan, DeviceStages.of(options.resources()), log, progress)
            .run(splits, directory.runs(), output, reading -> null);
      }
      progress.enter(Stage.DONE);
      int documents = Math.toIntExact(progress.documents());
      long tokens = output.keys() - documents * keywords();
      return log.withoutIndex(
          options,
          new BuildLog.Content(documents, -1, -1, -1, tokens, List.of(), List.of(), List.of()));
    }
  }

  /** Keys of a document that are not tokens. */
  private long keywords() {
    Schema schema = options.schema();
    return IntStream.range(0, schema.size()).filter(schema::hasTermInEveryDocument).count();
  }

  /** Counts the keys of the runs of each split, and wants none of them. */
  private static final class Forgetting implements BuildOutput {
    private final Map<Integer, AtomicLong> bySplit = new ConcurrentHashMap<>();

    @Override
    public SplitOutput split(Reading reading) {
      AtomicLong keys = new AtomicLong();
      bySplit.put(reading.split(), keys);
      return new ForgettingSplit(keys);
    }

    @Override
    public void drop(int split) {
      bySplit.remove(split);
    }

    private long keys() {
      return bySplit.values().stream().mapToLong(AtomicLong::get).sum();
    }
  }

  private record ForgettingSplit(AtomicLong keys) implements SplitOutput {
    @Override
    public boolean wants(OrderedRun run) {
      keys.addAndGet(run.tokenCount());
      return false;
    }

    @Override
    public void startDocument(long unit) {}

    @Override
    public void value(int field, byte[] utf8, int offset, int length) {}

    @Override
    public void values(ColumnValues values) {
      // The keys of a run include a term for each string, and these are no tokens.
      for (int i = 0; i < values.columns().size(); i++) {
        if (values.has(i) && values.columns().get(i).type() == ColumnType.STRING) {
          keys.decrementAndGet();
        }
      }
    }

    @Override
    public void finishDocument() {}

    @Override
    public Run endRun() {
      throw new IllegalStateException("the postings of a run were not wanted");
    }

    @Override
    public void finish() {}

    @Override
    public void close() {}
  }
}
