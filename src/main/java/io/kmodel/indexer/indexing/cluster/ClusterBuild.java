package io.kmodel.indexer.indexing.cluster;

import io.kmodel.indexer.index.model.FormatLimitException;
import io.kmodel.indexer.indexing.IndexMerge;
import io.kmodel.indexer.indexing.Resumption;
import io.kmodel.indexer.indexing.Target;
import io.kmodel.indexer.indexing.journal.CrashPoint;
import io.kmodel.indexer.indexing.journal.InputList;
import io.kmodel.indexer.indexing.journal.OutputPlace;
import io.kmodel.indexer.indexing.journal.WorkDirectory;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.DuplicateIdException;
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
import io.kmodel.indexer.store.disk.StagedOutput.Replaceable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
 *   input                       the files of the crawl, see {@link InputList}
 *   scan.skipped                files that the listing skipped
 *   splits/000042-ATTEMPT/      an index of split 42
 *   ranges/000007-ATTEMPT/      the postings of range 7
 *   duplicates/000042           ids of documents of split 42 that earlier splits have
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
  private static final String INPUT = "input";
  private static final String SKIPPED = "scan.skipped";
  private static final String MADE = "made";

  /** In the order in which they are deleted: the rest counts only with the plan. */
  private static final List<String> ENTRIES =
      List.of(
          ClusterJournal.PLAN,
          ClusterJournal.SEALED,
          INPUT,
          SKIPPED,
          Workspace.SPLITS,
          Workspace.RANGES,
          SplitStage.DUPLICATES,
          MADE);

  /** Splits for each task that runs at a time, so that they end at about the same time. */
  private static final int SPLITS_PER_SLOT = 4;

  private static final long LEAST_SPLIT_BYTES = 16L << 20;
  private static final long LARGEST_SPLIT_BYTES = 256L << 20;

  private final BuildOptions options;
  private final TaskEngine engine;
  private final long askedBytes;
  private final Recovery recovery;
  private final BuildProgress progress;
  private final Workspace work;

  /** Where the index appears on disk; it is uploaded from there if its place is a store. */
  private final Path output;

  /** The store of the output; null for a path. */
  private final @Nullable FileStore store;

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
    this.options = options;
    this.engine = engine;
    this.askedBytes = splitBytes;
    this.recovery = recovery;
    this.progress = progress;
    Path scratch = engine.scratch();
    if (options.output() instanceof RemotePath remote) {
      this.work = Workspace.of(remote.url() + PLACE, scratch);
      this.output = scratch.resolve(MADE);
      this.store = FileStore.of(remote.url());
    } else {
      this.output = options.output().toAbsolutePath().normalize();
      Path place = output.resolveSibling(output.getFileName() + PLACE);
      this.work = Workspace.of(place.toString(), scratch);
      this.store = null;
    }
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
    if (store != null) {
      requireFree(store);
      return build();
    }
    Replaceable replaceable = options.overwrite() ? Target.ownIndex()::isIndex : null;
    OutputPlace.requireApart(options.roots(), output, replaceable);
    WorkDirectory.look(output, replaceable, Start.FRESH);
    try (DirectoryLock lock = DirectoryLock.take(work.local(), Set.copyOf(ENTRIES))) {
      try {
        return build();
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

  /** Refuses what needs all documents at once, or this process alone. */
  private void requireSupported() {
    if (options.near().areFound()) {
      throw new BuildException("a cluster does not find near duplicates; build without it");
    }
    if (options.readsStandardInput()) {
      throw new BuildException("a cluster cannot read standard input; name files");
    }
  }

  /** Requires that a store has no output, or that it may be replaced. */
  private void requireFree(FileStore files) throws IOException {
    try {
      if (!options.overwrite() && !files.list(url()).files().isEmpty()) {
        throw new BuildException(
            "%s exists already; replace it with --overwrite, or name another output"
                .formatted(options.output()));
      }
    } catch (NoSuchFileException e) {
      // As it should be.
    }
  }

  private String url() {
    return ((RemotePath) options.output()).url();
  }

  private BuildReport build() throws IOException, InterruptedException {
    try (BuildLog log = BuildLog.start(progress)) {
      BuildReport report = start(log);
      deleteAll();
      return report;
    } catch (DuplicateIdException | FormatLimitException e) {
      // Another attempt would fail, too.
      deleteAll();
      throw e;
    } catch (IOException | InterruptedException | RuntimeException | Error e) {
      warn(e);
      throw e;
    }
  }

  private void warn(Throwable cause) {
    boolean isKept;
    try {
      isKept = !(cause instanceof BuildException) && hasWork();
    } catch (IOException e) {
      cause.addSuppressed(e);
      return;
    }
    if (isKept) {
      recovery
          .warnings()
          .accept(
              "finished work is kept in %s; the same command with --resume continues from there"
                  .formatted(work.place()));
    }
  }

  private boolean hasWork() throws IOException {
    return work.read(ClusterJournal.PLAN) != null;
  }

  private void deleteAll() throws IOException {
    for (String entry : ENTRIES) {
      work.delete(entry);
    }
    if (store != null) {
      store.delete(work.place());
      Directories.deleteTree(output);
    }
  }

  private BuildReport start(BuildLog log) throws IOException, InterruptedException {
    ClusterJournal.Plan before = ClusterJournal.plan(work);
    if (before != null && recovery.start() == Start.FRESH) {
      throw new BuildException(
          "%s has finished work of an interrupted build; continue with --resume, delete it with --restart, or name another output"
              .formatted(work.place()));
    }
    ClusterJournal.Plan resumed = recovery.start() == Start.RESUME ? before : null;
    if (resumed == null) {
      deleteAll();
    }
    // Ranges may be of other splits.
    work.delete(Workspace.RANGES);
    work.create();
    Listing listing = list(resumed != null);
    ClusterJournal.Plan plan = plan(listing, resumed);
    ClusterJournal journal =
        resumed == null ? ClusterJournal.create(work, plan) : ClusterJournal.resume(work);
    log.add(listing.skips());
    log.madeOf(new BuildReport.Origin(plan.options(), listing.input()));
    log.endPhase("scan");
    progress.expectBytes(listing.crawl().bytes());
    return build(listing.parts(plan.splitBytes()), journal, log);
  }

  private Listing list(boolean isResumed) throws IOException {
    List<Path> hidden = new ArrayList<>(OutputPlace.of(output, null).places());
    hidden.add(work.local());
    Path file = work.local().resolve(INPUT);
    if (isResumed) {
      work.restore(INPUT);
    }
    Listing listing;
    try (InputList files = isResumed ? InputList.compare(file) : InputList.write(file)) {
      listing = Listing.of(options, hidden, work.local().resolve(SKIPPED), files, progress);
    }
    if (!isResumed) {
      work.save(INPUT);
    }
    return listing;
  }

  private ClusterJournal.Plan plan(Listing listing, ClusterJournal.@Nullable Plan before)
      throws IOException {
    Map<String, String> identity = Resumption.identity(options, Target.ownIndex());
    if (before == null) {
      long bytes = Math.ceilDiv(listing.crawl().bytes(), SPLITS_PER_SLOT * (long) engine.slots());
      long usual = Math.clamp(bytes, LEAST_SPLIT_BYTES, LARGEST_SPLIT_BYTES);
      return new ClusterJournal.Plan(identity, askedBytes == 0 ? usual : askedBytes);
    }
    Resumption.requireSame(before.options(), identity);
    if (askedBytes != 0 && askedBytes != before.splitBytes()) {
      throw new BuildException(
          "the interrupted build had --split-size %d; use the same, or start over with --restart"
              .formatted(before.splitBytes()));
    }
    return before;
  }

  private BuildReport build(List<CrawlPart> parts, ClusterJournal journal, BuildLog log)
      throws IOException, InterruptedException {
    progress.enter(Stage.PARSE);
    List<SealedSplit> splits =
        new SplitStage(options, parts, work, journal, engine, progress).run(recovery.warnings());
    CrashPoint.SPLITS_SEALED.reached();
    log.endPhase("parse");
    progress.enter(Stage.MERGE);
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
            work.local().resolve(SKIPPED),
            (made, reports) -> {
              log.endPhase("merge");
              progress.enter(Stage.FINISH);
              BuildLog.Content content = BuildLog.Content.of(made.metadata(), made.top());
              report[0] = log.joined(options, content, reports, made.directory(), made.terms());
              CrashPoint.ASSEMBLED.reached();
            });
    if (store != null) {
      upload(store);
    }
    progress.enter(Stage.DONE);
    return Objects.requireNonNull(report[0]);
  }

  /** Uploads the index under another name first, so that no reader sees a part of it. */
  private void upload(FileStore files) throws IOException {
    String part = work.place() + "/" + MADE;
    files.delete(part);
    StoredWork.uploadAll(output, part, files);
    if (options.overwrite()) {
      files.delete(url());
    }
    files.move(part, url());
  }
}
