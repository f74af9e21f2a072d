package io.kmodel.indexer.build;

import io.kmodel.indexer.build.BuildProgress.Stage;
import io.kmodel.indexer.index.FieldStatistics;
import io.kmodel.indexer.index.FormatLimitException;
import io.kmodel.indexer.index.IndexMetadata;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.InvertedIndexWriter;
import io.kmodel.indexer.index.Schema;
import io.kmodel.indexer.index.TermDistribution;
import io.kmodel.indexer.sort.SortStage;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.store.Directories;
import io.kmodel.indexer.store.FileSeal;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Builds an index: scan the crawl and cut it into splits, parse each split into sorted runs, merge
 * the runs by term range, put the files together, and move the index to its place. The index's
 * files depend on the documents and on {@link BuildOptions}' content options only, never on threads
 * or memory.
 *
 * <p>Blocked sort-based indexing: Capannini, Silvestri, Baraglia, §7 and Fig. 7.
 */
public final class IndexBuild {
  /** What builds of another kind cannot go on with. */
  private static final String KIND = "an index of its own";

  private final BuildOptions options;
  private final BuildProgress progress;
  private final MemoryPlan plan;
  private final Supplier<SortStage> sorting;
  private final Schema schema;
  private final BuildLog log = new BuildLog();
  private Recovery recovery = Recovery.DEFAULT;
  private @Nullable Sequel sequel;
  private List<Path> placesOfSequel = List.of();

  /** What else is made of an index that is in its place. */
  @FunctionalInterface
  public interface Sequel {
    /**
     * Makes it.
     *
     * @throws FormatLimitException if it cannot be made of this index
     */
    void run(BuildReport report) throws IOException, InterruptedException;
  }

  /**
   * Prepares a build.
   *
   * @throws IllegalArgumentException if the memory budget does not suffice
   */
  public IndexBuild(BuildOptions options, BuildProgress progress) {
    this(options, progress, MemoryPlan.of(options, true));
  }

  /** A build with a plan of its own for the memory, which need not keep to the budget. */
  IndexBuild(BuildOptions options, BuildProgress progress, MemoryPlan plan) {
    this(options, progress, plan, () -> DocumentPhase.openSorters(options.resources()));
  }

  /** The same with a sort stage of its own. */
  IndexBuild(
      BuildOptions options, BuildProgress progress, MemoryPlan plan, Supplier<SortStage> sorting) {
    this.options = options;
    this.progress = progress;
    this.plan = plan;
    this.sorting = sorting;
    this.schema = options.schema();
    // What cannot be made is better heard of before anything is read.
    options.text().analysis().newAnalyzer().close();
  }

  /** Sets what is done about interruptions, that of an earlier build and this one's own. */
  public IndexBuild withRecovery(Recovery chosen) {
    recovery = chosen;
    return this;
  }

  /**
   * Has something else made of the index, which a build that is stopped in it goes on with.
   *
   * @param places where it is made, of which the crawl does not consist: what was made there
   *     before, or was half made, is no document
   */
  public IndexBuild withSequel(Sequel made, List<Path> places) {
    sequel = made;
    placesOfSequel = List.copyOf(places);
    return this;
  }

  /**
   * Looks, without writing, whether {@link #run} would refuse the output.
   *
   * @throws BuildException if it would
   * @throws IOException if nothing can be written there
   */
  public void requireOutput() throws IOException {
    Resumption.look(options, replaceable(), KIND, recovery.start());
  }

  private OutputPlace.@Nullable Replaceable replaceable() {
    return options.overwrite() ? IndexBuild::isIndex : null;
  }

  /**
   * Builds the index, or goes on with building it.
   *
   * @throws BuildException if the options cannot work, or a device was asked for that is not there;
   *     nothing was written then
   * @throws IOException if reading or writing failed; what is finished stays for a build that goes
   *     on, and {@link Recovery#warnings} is told so; nothing half-made stays
   */
  public BuildReport run() throws IOException, InterruptedException {
    WorkFiles.of(options.output()).requireApart(options.roots(), replaceable());
    try (WorkDirectory directory =
        WorkDirectory.create(
            options.output(),
            replaceable(),
            recovery.start(),
            Soundness.of(IndexBuild::check, recovery.warnings()))) {
      directory.passOver(placesOfSequel);
      BuildReport report = run(directory);
      if (sequel != null) {
        follow(sequel, report, directory);
      }
      return report;
    }
  }

  private BuildReport run(WorkDirectory directory) throws IOException, InterruptedException {
    try (log;
        KeptRuns kept = new KeptRuns(plan.keptBytes())) {
      log.start(progress);
      Resumption resumption = new Resumption(directory, options, KIND, recovery);
      return directory.isComplete(Map.of())
          ? resumption.complete(Map.of(), progress)
          : resumption.run(journal -> build(directory, journal, kept));
    }
  }

  /** What says that the index is complete stays until all else is made of it. */
  private void follow(Sequel next, BuildReport report, WorkDirectory directory)
      throws IOException, InterruptedException {
    directory.keep(true);
    try {
      Directories.deleteTree(directory.runs());
      next.run(report);
      directory.keep(false);
    } catch (FormatLimitException e) {
      // Nor could it be made later.
      directory.keep(false);
      throw e;
    } catch (IOException | InterruptedException | RuntimeException | Error e) {
      recovery
          .warnings()
          .accept(
              "%s is complete; the same command with --resume makes what is missing"
                  .formatted(directory.output()));
      throw e;
    }
  }

  /** A complete index is read again: it was not looked at since then. */
  private static void check(Path directory) throws IOException {
    try (InvertedIndex index = InvertedIndex.open(directory)) {
      index.verifyChecksums();
    }
  }

  private BuildReport build(WorkDirectory directory, BuildJournal journal, KeptRuns kept)
      throws IOException, InterruptedException {
    RunFiles runs =
        new RunFiles(new RunFiles.Place(directory, schema, journal, kept), log.clock(), progress);
    Merged merged;
    try (StallWatch watch = StallWatch.start(progress, recovery.warnings())) {
      new DocumentPhase(options, plan, sorting, log, progress).run(directory, runs, journal);
      progress.enter(Stage.MERGE);
      merged = merge(runs, directory, journal);
      watch.end();
    }
    Step.ASSEMBLED.reached();
    progress.enter(Stage.FINISH);
    log.listSkipped(directory.index());
    // Whoever seals notes what that takes, up to here.
    journal.stop();
    BuildReport report = report(directory.index(), runs.runs().size(), merged);
    Path metadata = directory.index().resolve(InvertedIndex.METADATA);
    journal.finish(() -> new JournalEntry.Finished(FileSeal.force(metadata, false), Map.of()));
    if (sequel != null) {
      journal.sealResult();
    }
    directory.publish();
    progress.enter(Stage.DONE);
    return report;
  }

  static boolean isIndex(Path directory) throws IOException {
    return InvertedIndex.isIndex(directory, BuildReport.FILE_NAMES);
  }

  /** The index, and how often its terms occur. */
  private record Merged(IndexMetadata index, TermDistribution terms) {}

  private Merged merge(RunFiles parsed, WorkDirectory directory, BuildJournal journal)
      throws IOException, InterruptedException {
    int threads = options.resources().threads();
    List<FinishedRun> finished = parsed.runs();
    long documents = finished.stream().mapToLong(FinishedRun::documents).sum();
    if (documents != progress.documents()) {
      // As where a split was read again, and the duplicates of another are none any more.
      throw new IOException(
          "%,d documents were read, but the runs have %,d: what was finished does not fit together; start anew with --restart"
              .formatted(progress.documents(), documents));
    }
    int documentCount = Math.toIntExact(documents);
    OpenRuns.Survival survival = new OpenRuns.Survival(directory.sealed(), journal, progress);
    MergeSpace.require(directory, parsed, 1);
    try (InvertedIndexWriter index = writer(directory).holdParts(plan.heldBytes());
        Workers workers = Workers.givingWay("merge", threads);
        OpenRuns runs =
            OpenRuns.open(
                OpenRuns.Input.of(finished),
                schema,
                workers,
                OpenRuns.Limits.of(threads, plan.readerBytes()),
                survival)) {
      new RunMerge(runs, index, survival, log.clock(), progress)
          .merge(workers, threads, plan.heldBytes(), parsed.documents());
      log.endPhase("merge");
      long start = System.nanoTime();
      IndexMetadata metadata = index.finish(documentCount, options.content());
      log.clock().lap(Activity.ASSEMBLE, start);
      log.endPhase("finish");
      return new Merged(metadata, index.distribution());
    }
  }

  /** The index's writer, with the terms that an earlier build has merged. */
  private InvertedIndexWriter writer(WorkDirectory directory) throws IOException {
    JournalEntry.RangesMerged before = directory.sealed().mergedRanges();
    if (before != null) {
      try {
        return InvertedIndexWriter.resume(directory.index(), schema, before.index());
      } catch (CorruptIndexException | NoSuchFileException e) {
        recovery.warnings().accept("what was merged is merged again: " + e.getMessage());
        directory.sealed().forgetMergedRanges();
        Directories.deleteTree(directory.index());
      }
    }
    return InvertedIndexWriter.resumable(directory.index(), schema);
  }

  private BuildReport report(Path directory, int runs, Merged merged) throws IOException {
    log.clock()
        .produced(
            Activity.MERGE,
            Directories.bytes(directory, "postings.") + Directories.bytes(directory, "terms."));
    log.clock().produced(Activity.ASSEMBLE, Directories.bytes(directory, ""));
    return log.report(options, content(merged.index()), runs, directory, merged.terms());
  }

  /** What the finished index says of itself. */
  private BuildLog.Content content(IndexMetadata index) {
    long terms = 0;
    long postings = 0;
    long tokens = 0;
    for (int field = 0; field < schema.size(); field++) {
      FieldStatistics statistics = index.statistics().get(field);
      terms += statistics.terms();
      postings += statistics.postings();
      tokens += schema.field(field).tokenized() ? statistics.tokens() : 0;
    }
    long ids = index.statistics().get(schema.ordinal(Schema.ID)).terms();
    long sharedIds = index.documentCount() - ids;
    return new BuildLog.Content(index.documentCount(), sharedIds, terms, postings, tokens);
  }
}
