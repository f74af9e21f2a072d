package io.kmodel.indexer.indexing.cluster;

import io.kmodel.indexer.export.lucene.ShardedIndex;
import io.kmodel.indexer.export.lucene.TargetDirectory;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.model.FormatLimitException;
import io.kmodel.indexer.indexing.IndexMerge;
import io.kmodel.indexer.indexing.Indexing;
import io.kmodel.indexer.indexing.Target;
import io.kmodel.indexer.indexing.journal.CrashPoint;
import io.kmodel.indexer.indexing.journal.OutputPlace;
import io.kmodel.indexer.indexing.journal.WorkDirectory;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.DuplicateIdException;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.indexing.options.Recovery;
import io.kmodel.indexer.indexing.options.Recovery.Start;
import io.kmodel.indexer.indexing.report.BuildLog;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildProgress.Stage;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.source.FileStore;
import io.kmodel.indexer.source.RemotePath;
import io.kmodel.indexer.source.crawl.CrawlPart;
import io.kmodel.indexer.store.disk.Directories;
import io.kmodel.indexer.store.disk.DirectoryLock;
import io.kmodel.indexer.store.disk.LockedException;
import io.kmodel.indexer.store.disk.RefusedOutputException;
import io.kmodel.indexer.store.disk.StagedOutput;
import io.kmodel.indexer.store.disk.StagedOutput.Replaceable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Builds an index on a cluster: the same bytes as {@link io.kmodel.indexer.indexing.Indexing} makes
 * on one machine. The driver lists the crawl and cuts it into splits; tasks make an index of each
 * split; the driver cuts the terms into ranges; tasks merge each range of all splits; the driver
 * joins the ranges, stored documents and columns. An attempt at a task counts only if the driver
 * got its result, so attempts may fail, repeat and overlap.
 *
 * <pre>
 * INDEX.cluster/                a directory that the driver and all executors see, or one of a store
 *   plan.json                   options that must not change, see {@link ClusterJournal}
 *   sealed/000042               the result of split 42
 *   input                       the files of the crawl, see {@link Planning}
 *   scan.skipped                files that the listing skipped
 *   splits/000042-ATTEMPT/      an index of split 42
 *   ranges/000007-ATTEMPT/      the postings of range 7
 *   shards/000001-ATTEMPT/      a Lucene index of neighboring splits
 *   duplicates/000042           ids of documents of split 42 that earlier splits have
 *   splits.json                 the splits that are merged
 *   complete                    how to recognize the complete index
 *   made/                       the index while it is uploaded
 * </pre>
 *
 * <p>A build that was stopped is continued after the last inverted split; ranges are merged again.
 * Memory of the driver: the list of files, a term index for each split, and the buffers of {@link
 * IndexMerge}. Open files: those of all splits. An index in a store is made on the driver's disk
 * and uploaded.
 */
public final class ClusterBuild {
  private static final String PLACE = ".cluster";
  private static final String MADE = "made";

  /** In the order in which they are deleted: the rest counts only with the plan. */
  private static final List<String> ENTRIES =
      List.of(
          ClusterJournal.PLAN,
          ClusterJournal.SEALED,
          Planning.INPUT,
          Planning.SKIPPED,
          Workspace.SPLITS,
          Workspace.RANGES,
          Workspace.SHARDS,
          SplitStage.DUPLICATES,
          RangeStage.LIST,
          Completion.MARK,
          MADE);

  /** For the check of an index, which makes no runs. */
  private static final MemoryPlan CHECKING = new MemoryPlan(1 << 28, 1 << 25, 64 << 20, 64 << 20);

  private final BuildOptions options;
  private final TaskEngine engine;
  private final Recovery recovery;
  private final BuildProgress progress;
  private final Workspace work;
  private final long askedBytes;

  /** Where the index appears on disk; it is uploaded from there if its place is a store. */
  private final Path output;

  /** The output if it is in a store; null for a path. */
  private final @Nullable StoredOutput stored;

  private final Completion completion;

  /** The Lucene indexes to make instead of an index of this program's format; null for none. */
  private final Shards.@Nullable Options shards;

  /** Age from which on abandoned splits are deleted before the build; null to keep all. */
  private final @Nullable Duration orphanAge;

  /**
   * Prepares a build.
   *
   * @param options the memory is that of a task, the threads those of the driver
   * @param splitBytes of a split; 0 for a choice by the size of the crawl and of the cluster
   * @throws BuildException if the output is in a store that is not known
   */
  public ClusterBuild(
      BuildOptions options,
      TaskEngine engine,
      long splitBytes,
      Recovery recovery,
      BuildProgress progress) {
    this(options, engine, splitBytes, recovery, progress, null, null);
  }

  private ClusterBuild(
      BuildOptions options,
      TaskEngine engine,
      long splitBytes,
      Recovery recovery,
      BuildProgress progress,
      Shards.@Nullable Options shards,
      @Nullable Duration orphanAge) {
    this.shards = shards;
    this.orphanAge = orphanAge;
    this.options = options;
    this.engine = engine;
    this.askedBytes = splitBytes;
    this.recovery = recovery;
    this.progress = progress;
    Path scratch = engine.scratch();
    if (options.output() instanceof RemotePath remote) {
      String url = StoredOutput.normalized(remote.url());
      this.work = Workspace.of(url + PLACE, scratch);
      this.output = scratch.resolve(MADE);
      FileStore store = Objects.requireNonNull(FileStore.of(url));
      this.stored = new StoredOutput(url, store, options.overwrite());
    } else {
      this.output = options.output().toAbsolutePath().normalize();
      Path place = output.resolveSibling(output.getFileName() + PLACE);
      this.work = Workspace.of(place.toString(), scratch);
      this.stored = null;
    }
    String named = shards == null ? InvertedIndex.METADATA : ShardedIndex.FILE_NAME;
    this.completion = new Completion(work, named, this::read);
  }

  /** The same build of Lucene indexes, whose output is a {@link ShardedIndex}. */
  public ClusterBuild ofShards(Shards.Options chosen) {
    return new ClusterBuild(options, engine, askedBytes, recovery, progress, chosen, orphanAge);
  }

  /**
   * The same build, which first deletes splits that tasks of the interrupted build abandoned.
   *
   * @param age since the last write to it, at least
   */
  public ClusterBuild withoutOrphans(Duration age) {
    return new ClusterBuild(options, engine, askedBytes, recovery, progress, shards, age);
  }

  /**
   * Builds the index, or continues an interrupted build of it.
   *
   * @throws BuildException if the options cannot work, another build is running or was interrupted,
   *     or the input has changed
   * @throws FormatLimitException if one index cannot hold the documents
   * @throws IOException if reading, writing or the cluster failed; inverted splits stay for a build
   *     that continues this one, and {@link Recovery#warnings} says so
   */
  public BuildReport run() throws IOException, InterruptedException {
    requireSupported();
    BuildReport published = recovery.start() == Start.RESUME ? completion.report() : null;
    if (published == null && isComplete()) {
      // Compares the options and the input, and checks the index.
      return new Indexing(options, Target.ownIndex(), progress, CHECKING)
          .withRecovery(recovery)
          .run();
    }
    if (stored != null) {
      if (published == null) {
        stored.requireApart(options.roots());
        stored.requireFree();
      }
      return build(published);
    }
    if (published == null) {
      Replaceable replaceable = options.overwrite() ? this::isIndex : null;
      OutputPlace.requireApart(options.roots(), output, replaceable);
      WorkDirectory.look(output, replaceable, Start.FRESH);
    }
    try (DirectoryLock lock = DirectoryLock.take(work.local(), Set.copyOf(ENTRIES))) {
      try {
        return build(published);
      } finally {
        if (!hasWork()) {
          lock.deleteAtClose();
        }
      }
    } catch (LockedException e) {
      throw new BuildException(
          "another build is at work on %s: %s (%s)".formatted(output, e.owner(), work.place()));
    } catch (RefusedOutputException e) {
      throw new BuildException(String.valueOf(e.getMessage()));
    }
  }

  private BuildReport build(@Nullable BuildReport published)
      throws IOException, InterruptedException {
    if (published == null) {
      return build();
    }
    recovery.notices().accept(options.output() + " was already complete");
    progress.enter(Stage.DONE);
    clean();
    return published;
  }

  /** Whether a directory holds what this build makes, so that it may be replaced. */
  private boolean isIndex(Path directory) throws IOException {
    return shards == null ? Target.ownIndex().isIndex(directory) : ShardedIndex.isIn(directory);
  }

  /** Refuses what needs all documents at once, or this process alone. */
  private void requireSupported() {
    if (options.near().areFound()) {
      throw new BuildException("a cluster does not find near duplicates; build without it");
    }
    if (options.readsStandardInput()) {
      throw new BuildException("a cluster cannot read standard input; name files");
    }
    if (stored != null && shards != null) {
      throw new BuildException(
          "shards are made in a directory that all executors see, not in a store");
    }
  }

  /** Whether an index is there although no build was interrupted. */
  private boolean isComplete() throws IOException {
    return recovery.start() == Start.RESUME
        && stored == null
        && shards == null
        && !options.overwrite()
        && !hasWork()
        && Target.ownIndex().isIndex(output);
  }

  /** A small file of the output; null if it does not exist. */
  private byte @Nullable [] read(String name) throws IOException {
    return stored == null ? new SharedDirectory(output).read(name) : stored.read(name);
  }

  private BuildReport build() throws IOException, InterruptedException {
    try (BuildLog log = BuildLog.start(progress)) {
      BuildReport report = start(log);
      clean();
      return report;
    } catch (DuplicateIdException | FormatLimitException e) {
      // Another attempt would fail, too.
      clean();
      throw e;
    } catch (IOException | InterruptedException | RuntimeException | Error e) {
      keepOrClean(e);
      throw e;
    }
  }

  private void keepOrClean(Throwable cause) {
    try {
      if (!hasFinished()) {
        clean();
      } else if (!(cause instanceof BuildException)) {
        recovery
            .warnings()
            .accept(
                "finished work is kept in %s; the same command with --resume continues from there"
                    .formatted(work.place()));
      }
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }

  private boolean hasWork() throws IOException {
    return work.read(ClusterJournal.PLAN) != null;
  }

  /**
   * Whether a build would lose work by starting over. Nothing locks a store, so a plan there may be
   * that of a build that has just started.
   */
  private boolean hasFinished() throws IOException {
    return hasWork() && (stored != null || !work.readAll(ClusterJournal.SEALED).isEmpty());
  }

  private void deleteAll() throws IOException {
    for (String entry : ENTRIES) {
      work.delete(entry);
    }
    if (stored != null) {
      work.delete("");
      Directories.deleteTree(output);
    }
  }

  /** Deletes the work of a build that has ended. Tasks that end late may still write there. */
  private void clean() {
    try {
      deleteAll();
    } catch (IOException e) {
      recovery.warnings().accept("%s was not deleted: %s".formatted(work.place(), e.getMessage()));
    }
  }

  private BuildReport start(BuildLog log) throws IOException, InterruptedException {
    ClusterJournal.Plan before = ClusterJournal.plan(work);
    boolean isFinished = hasFinished();
    if (isFinished && recovery.start() == Start.FRESH) {
      throw new BuildException(
          "%s has finished work of an interrupted build; continue with --resume, delete it with --restart, or name another output"
              .formatted(work.place()));
    }
    ClusterJournal.Plan resumed = isFinished && recovery.start() == Start.RESUME ? before : null;
    int count = shards == null ? 0 : shards.shards();
    Planning planning = new Planning(options, work, engine, askedBytes, count);
    if (resumed == null) {
      deleteAll();
    } else {
      planning.requireSame(resumed);
    }
    // Ranges may be of other splits.
    work.delete(Workspace.RANGES);
    work.delete(Workspace.SHARDS);
    work.create();
    ClusterJournal journal = resumed == null ? null : ClusterJournal.resume(work);
    deleteOrphans(journal);
    List<Path> hidden = new ArrayList<>(OutputPlace.of(output, null).places());
    hidden.add(work.local());
    Listing listing = planning.list(hidden, resumed != null, progress);
    Planning.Planned planned = planning.plan(listing, resumed);
    Shards.require(planned.parts().size(), count);
    if (journal == null) {
      journal = ClusterJournal.create(work, planned.plan());
    }
    log.add(listing.skips());
    log.madeOf(new BuildReport.Origin(planned.plan().options(), listing.input()));
    log.endPhase("scan");
    progress.expectBytes(listing.crawl().bytes());
    return build(planned.parts(), journal, log);
  }

  /** Makes room before the build continues. */
  private void deleteOrphans(@Nullable ClusterJournal journal) throws IOException {
    if (orphanAge != null && journal != null) {
      Instant since = Instant.now().minus(orphanAge);
      int deleted = work.deleteOrphans(Workspace.SPLITS, journal.names(), since);
      if (deleted > 0) {
        recovery
            .notices()
            .accept("deleted %,d abandoned split%s".formatted(deleted, deleted == 1 ? "" : "s"));
      }
    }
  }

  private BuildReport build(List<CrawlPart> parts, ClusterJournal journal, BuildLog log)
      throws IOException, InterruptedException {
    progress.enter(Stage.PARSE);
    List<SealedSplit> splits =
        new SplitStage(options, parts, work, journal, engine, progress).run(recovery.warnings());
    CrashPoint.SPLITS_SEALED.reached();
    log.endPhase("parse");
    progress.enter(Stage.MERGE);
    Shards.Options chosen = shards;
    BuildReport report = chosen == null ? merge(splits, log) : shard(splits, chosen, log);
    progress.enter(Stage.DONE);
    return report;
  }

  private BuildReport merge(List<SealedSplit> splits, BuildLog log)
      throws IOException, InterruptedException {
    BuildReport[] report = new BuildReport[1];
    IndexMerge.Options joining =
        new IndexMerge.Options(
            List.of(),
            output,
            options.overwrite(),
            null,
            options.resources().threads(),
            options.resources().space());
    new RangeStage(splits, work, engine, progress)
        .run(
            joining,
            work.local().resolve(Planning.SKIPPED),
            (made, reports) -> {
              log.endPhase("merge");
              progress.enter(Stage.FINISH);
              BuildLog.Content content = BuildLog.Content.of(made.metadata(), made.top());
              report[0] = log.joined(options, content, reports, made.directory(), made.terms());
              completion.mark(made.directory());
              CrashPoint.ASSEMBLED.reached();
            });
    if (stored != null) {
      stored.publish(output, work.place() + "/" + MADE);
    }
    CrashPoint.PUBLISHED.reached();
    return Objects.requireNonNull(report[0]);
  }

  private BuildReport shard(List<SealedSplit> splits, Shards.Options chosen, BuildLog log)
      throws IOException, InterruptedException {
    StagedOutput target =
        TargetDirectory.replacing(output, there -> options.overwrite() && isIndex(there));
    return new ShardStage(splits, work, engine, progress)
        .run(
            chosen,
            target,
            options.content(),
            work.local().resolve(Planning.SKIPPED),
            (made, all, reports) -> {
              log.endPhase("merge");
              progress.enter(Stage.FINISH);
              BuildReport report =
                  log.joined(options, ShardStage.content(all), reports, made, null);
              completion.mark(made);
              return report;
            });
  }
}
