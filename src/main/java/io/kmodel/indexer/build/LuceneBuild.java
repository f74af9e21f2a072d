package io.kmodel.indexer.build;

import io.kmodel.indexer.build.BuildProgress.Stage;
import io.kmodel.indexer.export.lucene.ExportCodec;
import io.kmodel.indexer.export.lucene.IndexCheck;
import io.kmodel.indexer.export.lucene.LuceneContent;
import io.kmodel.indexer.export.lucene.SegmentWriter;
import io.kmodel.indexer.export.lucene.SegmentedIndex;
import io.kmodel.indexer.index.Field;
import io.kmodel.indexer.index.FormatLimitException;
import io.kmodel.indexer.index.Schema;
import io.kmodel.indexer.index.StoredDocuments;
import io.kmodel.indexer.sort.SortStage;
import io.kmodel.indexer.store.Directories;
import io.kmodel.indexer.store.FileSeal;
import io.kmodel.indexer.store.FreeFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Builds a Lucene index without one of ours on the way: every run becomes a segment out of the
 * memory it was sorted in, or the runs are merged into a given number of segments. The index is
 * what IndexWriter makes of the same documents in the same order; its segments depend on threads
 * and memory, as IndexWriter's do.
 */
public final class LuceneBuild {
  /** Ours are joined, and Lucene's fast compression takes up to twice their bytes. */
  private static final int STORED_GROWTH = 3;

  /** What builds of another kind cannot go on with. */
  private static final String KIND = "a Lucene index";

  /** How many segments, where nothing is merged: as many as there are runs. */
  public static final int SEGMENT_PER_RUN = 0;

  /**
   * What Lucene index to build.
   *
   * @param segments at most so many; {@link #SEGMENT_PER_RUN} for one for each run
   * @param check what CheckIndex looks at before the index appears
   * @param codec how stored fields are compressed
   */
  public record Target(int segments, IndexCheck check, ExportCodec codec) {
    /** Compressed as Lucene does where nothing is said. */
    public Target(int segments, IndexCheck check) {
      this(segments, check, ExportCodec.BEST_SPEED);
    }

    public Target {
      if (segments < 0) {
        throw new IllegalArgumentException("segments must not be negative; got " + segments);
      }
    }

    /** What the index depends on beside the runs. */
    private Map<String, String> form() {
      return Map.of("segments", Integer.toString(segments), "codec", codec.toString());
    }
  }

  private final BuildOptions options;
  private final Target target;
  private final BuildProgress progress;
  private final MemoryPlan plan;
  private final Supplier<SortStage> sorting;
  private final Schema schema;
  private final BuildLog log = new BuildLog();
  private Recovery recovery = Recovery.DEFAULT;

  /**
   * Prepares a build.
   *
   * @param options whose output is the Lucene index
   * @throws IllegalArgumentException if the memory budget does not suffice
   */
  public LuceneBuild(BuildOptions options, Target target, BuildProgress progress) {
    this(options, target, progress, MemoryPlan.of(options, target.segments() != SEGMENT_PER_RUN));
  }

  /** A build with a plan of its own for the memory, which need not keep to the budget. */
  LuceneBuild(BuildOptions options, Target target, BuildProgress progress, MemoryPlan plan) {
    this(options, target, progress, plan, () -> DocumentPhase.openSorters(options.resources()));
  }

  /** The same with a sort stage of its own. */
  LuceneBuild(
      BuildOptions options,
      Target target,
      BuildProgress progress,
      MemoryPlan plan,
      Supplier<SortStage> sorting) {
    this.options = options;
    this.target = target;
    this.progress = progress;
    this.plan = plan;
    this.sorting = sorting;
    this.schema = options.schema();
    // What cannot be made is better heard of before anything is read.
    options.text().analysis().newAnalyzer().close();
  }

  /** Sets what is done about interruptions, that of an earlier build and this one's own. */
  public LuceneBuild withRecovery(Recovery chosen) {
    recovery = chosen;
    return this;
  }

  /**
   * Looks, without writing, whether {@link #run} would refuse the output.
   *
   * @throws BuildException if it would
   * @throws IOException if nothing can be written there
   */
  public void requireOutput() throws IOException {
    requireResumable();
    Resumption.look(options, replaceable(), KIND, recovery.start());
  }

  private OutputPlace.@Nullable Replaceable replaceable() {
    return options.overwrite() ? LuceneBuild::isIndex : null;
  }

  private boolean isResumable() {
    return target.segments() != SEGMENT_PER_RUN;
  }

  private void requireResumable() {
    if (!isResumable() && recovery.start() == Recovery.Start.RESUME) {
      throw new BuildException(
          "a Lucene index with a segment for each run is built in one go; --resume is for --output,"
              + " or --segments");
    }
  }

  /**
   * Builds the index. With a segment for each run that is done in one go; else, as far as runs are
   * concerned, a build can go on where another has stopped.
   *
   * @throws BuildException if the options cannot work, or a device was asked for that is not there;
   *     nothing was written then
   * @throws FormatLimitException where Lucene cannot hold the index
   * @throws IOException if reading or writing failed; finished runs may stay for a build that goes
   *     on, and {@link Recovery#warnings} is told so; nothing half-made stays
   */
  public BuildReport run() throws IOException, InterruptedException {
    requireResumable();
    WorkFiles.of(options.output()).requireApart(options.roots(), replaceable());
    try (log;
        WorkDirectory directory =
            WorkDirectory.create(
                options.output(),
                replaceable(),
                recovery.start(),
                Soundness.of(this::check, recovery.warnings()));
        KeptRuns kept = new KeptRuns(plan.keptBytes())) {
      log.start(progress);
      if (!isResumable()) {
        return publish(directory, build(directory, BuildJournal.none(), kept));
      }
      Resumption resumption = new Resumption(directory, options, KIND, recovery);
      return directory.isComplete(target.form())
          ? resumption.complete(target.form(), progress)
          : resumption.run(journal -> publish(directory, buildOrClean(directory, journal, kept)));
    }
  }

  /** A complete index is checked again: what is wanted now may be more than before. */
  private void check(Path directory) throws IOException {
    IndexCheck check = target.check() == IndexCheck.NONE ? IndexCheck.CHECKSUMS : target.check();
    check.run(directory, options.resources().threads());
  }

  /** Runs may stay for a build that goes on; what Lucene has of them only when that is all. */
  private BuildReport buildOrClean(WorkDirectory directory, BuildJournal journal, KeptRuns kept)
      throws IOException, InterruptedException {
    try {
      return build(directory, journal, kept);
    } catch (IOException | InterruptedException | RuntimeException e) {
      try {
        Directories.deleteTree(directory.index());
      } catch (IOException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  private BuildReport build(WorkDirectory directory, BuildJournal journal, KeptRuns kept)
      throws IOException, InterruptedException {
    Files.createDirectory(directory.index());
    int runs;
    try (SegmentedIndex index =
            new SegmentedIndex(
                directory.index(), schema, target.codec(), Workers.factoryGivingWay("segment"));
        StallWatch watch = StallWatch.start(progress, recovery.warnings())) {
      runs =
          target.segments() == SEGMENT_PER_RUN
              ? segmentPerRun(index, directory)
              : merged(index, directory, journal, kept);
      watch.end();
    }
    long start = System.nanoTime();
    target.check().run(directory.index(), options.resources().threads());
    log.clock().lap(Activity.VERIFY, start);
    log.endPhase("finish");
    log.listSkipped(directory.index());
    // Whoever seals notes what that takes, up to here.
    journal.stop();
    BuildReport report = report(directory.index(), runs);
    Path commit = LuceneContent.commitFile(directory.index());
    journal.finish(() -> new JournalEntry.Finished(FileSeal.force(commit, false), target.form()));
    return report;
  }

  private BuildReport publish(WorkDirectory directory, BuildReport report) throws IOException {
    directory.publish();
    progress.enter(Stage.DONE);
    return report;
  }

  /** Whether it is what this class makes, or any Lucene index: what a build may replace. */
  public static boolean isIndex(Path directory) throws IOException {
    return LuceneContent.isIndex(directory, BuildReport.FILE_NAMES);
  }

  private int segmentPerRun(SegmentedIndex index, WorkDirectory directory)
      throws IOException, InterruptedException {
    RunSegments runs = new RunSegments(index, log.clock());
    new DocumentPhase(options, plan, sorting, log, progress)
        .run(directory, runs, BuildJournal.none());
    progress.enter(Stage.FINISH);
    long start = System.nanoTime();
    index.commit(runs.segments(), options.resources().threads());
    log.clock().lap(Activity.ASSEMBLE, start);
    return runs.segments().size();
  }

  private int merged(
      SegmentedIndex index, WorkDirectory directory, BuildJournal journal, KeptRuns kept)
      throws IOException, InterruptedException {
    int threads = options.resources().threads();
    RunFiles files =
        new RunFiles(new RunFiles.Place(directory, schema, journal, kept), log.clock(), progress);
    new DocumentPhase(options, plan, sorting, log, progress).run(directory, files, journal);
    progress.enter(Stage.MERGE);
    MergeSpace.require(directory, files, STORED_GROWTH);
    List<SegmentWriter> segments;
    try (Workers workers = Workers.givingWay("merge", threads);
        StoredDocuments documents = documents(files, directory.runs());
        OpenRuns runs =
            OpenRuns.open(
                OpenRuns.Input.of(files.runs()),
                schema,
                workers,
                OpenRuns.Limits.of(threads, plan.mergeBytes() - plan.encodedBytes()),
                new OpenRuns.Survival(directory.sealed(), journal, progress))) {
      segments =
          new MergedSegments(runs, schema, documents, index, threads, memory(threads))
              .write(target.segments(), log.clock(), progress);
    }
    log.endPhase("merge");
    progress.enter(Stage.FINISH);
    long start = System.nanoTime();
    index.commit(segments, threads);
    log.clock().lap(Activity.ASSEMBLE, start);
    return files.runs().size();
  }

  /** Outside of the heap there is what runs were made in. */
  private MergedSegments.Memory memory(int threads) {
    return new MergedSegments.Memory(plan.encodedBytes(), threads * plan.runBytes());
  }

  private @Nullable StoredDocuments documents(RunFiles files, Path directory) throws IOException {
    return schema.fields().stream().anyMatch(Field::stored)
        ? StoredDocuments.join(directory, files.documents(), schema)
        : null;
  }

  private BuildReport report(Path directory, int runs) throws IOException {
    LuceneContent content = LuceneContent.of(directory, schema, FreeFiles.count());
    if (content.documents() != progress.documents()) {
      throw new IllegalStateException(
          "%d documents were indexed; lucene counts %d"
              .formatted(progress.documents(), content.documents()));
    }
    log.clock().produced(Activity.EXPORT, Directories.bytes(directory, ""));
    return log.report(
        options,
        new BuildLog.Content(
            content.documents(), -1, content.terms(), content.postings(), content.tokens()),
        runs,
        directory,
        null);
  }
}
