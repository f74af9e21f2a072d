package io.kmodel.indexer.indexing;

import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.indexing.documents.BuildOutput;
import io.kmodel.indexer.indexing.documents.CrawlScan;
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
import io.kmodel.indexer.run.RunBuilder;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Finds the words of a crawl, interns them and makes their keys as a build does that merges
 * nothing, with its threads and its memory, and forgets each run when it is full: what a build does
 * before anything is sorted, for comparing whole builds with that. Nothing stays where it works.
 */
public final class TokenizeOnlyBuild {
  private final BuildOptions options;
  private final BuildProgress progress;
  private final MemoryPlan plan;

  /**
   * Prepares it.
   *
   * @param options of the build that it is to be compared with; their output is where it works, a
   *     directory that does not exist
   * @throws IllegalArgumentException if the memory budget does not suffice
   */
  public TokenizeOnlyBuild(BuildOptions options, BuildProgress progress) {
    this(options, progress, MemoryPlan.of(options, false));
  }

  /** With a plan of its own for the memory, which need not keep to the budget. */
  TokenizeOnlyBuild(BuildOptions options, BuildProgress progress, MemoryPlan plan) {
    this.options = options;
    this.progress = progress;
    this.plan = plan;
  }

  /**
   * Reads the crawl.
   *
   * @return documents, tokens, what was skipped and how long that took; of an index nothing
   * @throws BuildException if the options cannot work
   * @throws IOException if reading failed, or writing lists of what is skipped
   */
  public BuildReport run() throws IOException, InterruptedException {
    OutputPlace.requireApart(options.roots(), OutputPlace.of(options.output(), null), null);
    Forgetting output = new Forgetting();
    try (WorkDirectory directory = WorkDirectory.create(options.output(), null);
        BuildLog log = BuildLog.start(progress)) {
      try (CrawlScan splits = new CrawlScan(options, directory, Checkpoints.none(), progress)) {
        new DocumentPhase(
                options, plan, () -> DocumentPhase.openSorters(options.resources()), log, progress)
            .run(splits, directory.runs(), output, reading -> null);
      }
      progress.enter(Stage.DONE);
      int documents = Math.toIntExact(progress.documents());
      long tokens = output.keys() - documents * keywords();
      return log.withoutIndex(options, new BuildLog.Content(documents, -1, -1, -1, tokens));
    }
  }

  /** Keys of a document that are of no token. */
  private long keywords() {
    return options.schema().fields().stream().filter(Field::isKeyword).count();
  }

  /** Counts the keys of each split's runs, and wants nothing. */
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
    public boolean wants(RunBuilder run) {
      keys.addAndGet(run.tokenCount());
      return false;
    }

    @Override
    public void startDocument(long unit) {}

    @Override
    public void value(int field, byte[] utf8, int offset, int length) {}

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
