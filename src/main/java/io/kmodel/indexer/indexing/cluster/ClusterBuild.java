package io.kmodel.indexer.indexing.cluster;

import com.google.common.io.Closer;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.InvertedIndexWriter;
import io.kmodel.indexer.index.model.FormatLimitException;
import io.kmodel.indexer.indexing.IndexMerge;
import io.kmodel.indexer.indexing.Resumption;
import io.kmodel.indexer.indexing.Target;
import io.kmodel.indexer.indexing.journal.CrashPoint;
import io.kmodel.indexer.indexing.journal.InputList;
import io.kmodel.indexer.indexing.journal.OutputPlace;
import io.kmodel.indexer.indexing.journal.WorkDirectory;
import io.kmodel.indexer.indexing.merge.IndexLists;
import io.kmodel.indexer.indexing.merge.SharedIds;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.DuplicateIdException;
import io.kmodel.indexer.indexing.options.Duplicates;
import io.kmodel.indexer.indexing.options.IdPolicy;
import io.kmodel.indexer.indexing.options.Recovery;
import io.kmodel.indexer.indexing.options.Recovery.Start;
import io.kmodel.indexer.indexing.report.BuildLog;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildProgress.Stage;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.merge.TermRange;
import io.kmodel.indexer.source.RemotePath;
import io.kmodel.indexer.source.crawl.CrawlPart;
import io.kmodel.indexer.store.disk.Directories;
import io.kmodel.indexer.store.disk.DirectoryLock;
import io.kmodel.indexer.store.disk.LockedException;
import io.kmodel.indexer.store.disk.RefusedOutputException;
import io.kmodel.indexer.store.disk.StagedOutput.Replaceable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Builds an index on a cluster: the same bytes as {@link io.kmodel.indexer.indexing.Indexing} makes
 * on one machine. The driver lists the crawl and cuts it into splits; tasks make an index of each
 * split; the driver cuts the terms into ranges; tasks merge each range of all splits; the driver
 * joins the ranges, stored documents and columns. What tasks write counts only if the driver got
 * their result, so attempts may fail, repeat and overlap.
 *
 * <pre>
 * INDEX.cluster/                on storage that the driver and all executors see under this path
 *   plan.json                   options that must not change, see {@link ClusterJournal}
 *   splits.journal              inverted splits
 *   input                       the files of the crawl, see {@link InputList}
 *   scan.skipped                what the listing skipped
 *   splits/000042-ATTEMPT/      an index of split 42
 *   ranges/000007-ATTEMPT/      the postings of range 7
 *   duplicates/000042           ids of documents of split 42 that earlier splits have
 * </pre>
 *
 * <p>A build that was stopped is continued after the last inverted split; ranges are merged again.
 * Memory of the driver: the list of files, a term index for each split, and the buffers of {@link
 * IndexMerge}. Open files: those of all splits.
 */
public final class ClusterBuild {
  private static final String PLACE = ".cluster";
  private static final String INPUT = "input";
  private static final String SKIPPED = "scan.skipped";
  private static final String SPLITS = "splits";
  private static final String RANGES = "ranges";
  private static final String DUPLICATES = "duplicates";
  private static final Set<String> ENTRIES =
      Set.of(
          ClusterJournal.PLAN, ClusterJournal.SPLITS, INPUT, SKIPPED, SPLITS, RANGES, DUPLICATES);

  /** Splits for each task that runs at a time, so that they end at about the same time. */
  private static final int SPLITS_PER_SLOT = 4;

  private static final long LEAST_SPLIT_BYTES = 16L << 20;
  private static final long LARGEST_SPLIT_BYTES = 256L << 20;

  private final BuildOptions options;
  private final TaskEngine engine;
  private final long askedBytes;
  private final Recovery recovery;
  private final BuildProgress progress;
  private final Path output;
  private final Path place;

  /**
   * Prepares a build.
   *
   * @param options the memory is that of a task, the threads those of the driver
   * @param splitBytes of a split; 0 for a choice by the size of the crawl and of the cluster
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
    this.output = options.output().toAbsolutePath().normalize();
    this.place = output.resolveSibling(output.getFileName() + PLACE);
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
    Replaceable replaceable = options.overwrite() ? Target.ownIndex()::isIndex : null;
    OutputPlace.requireApart(options.roots(), output, replaceable);
    WorkDirectory.look(output, replaceable, Start.FRESH);
    try (DirectoryLock lock = DirectoryLock.take(place, ENTRIES);
        BuildLog log = BuildLog.start(progress)) {
      try {
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
      } finally {
        if (!hasWork()) {
          lock.deleteAtClose();
        }
      }
    } catch (LockedException e) {
      throw new BuildException(
          "another build is at work on %s: %s (%s)".formatted(output, e.owner(), place));
    } catch (RefusedOutputException e) {
      throw new BuildException(String.valueOf(e.getMessage()));
    }
  }

  /** What needs all documents at once, or this process alone. */
  private void requireSupported() {
    if (options.near().areFound()) {
      throw new BuildException("a cluster does not find near duplicates; build without it");
    }
    if (options.readsStandardInput()) {
      throw new BuildException("a cluster cannot read standard input; name files");
    }
    for (Path root : options.roots()) {
      if (root instanceof RemotePath) {
        throw new BuildException(
            "a cluster cannot read %s yet; copy it to storage that all executors see"
                .formatted(root));
      }
    }
  }

  private void warn(Throwable cause) throws IOException {
    if (!(cause instanceof BuildException) && hasWork()) {
      recovery
          .warnings()
          .accept(
              "finished work is kept in %s; the same command with --resume continues from there"
                  .formatted(place));
    }
  }

  private boolean hasWork() {
    return Files.exists(place.resolve(ClusterJournal.PLAN));
  }

  private void deleteAll() throws IOException {
    // First: the rest counts only with the plan.
    Files.deleteIfExists(place.resolve(ClusterJournal.PLAN));
    for (String entry : ENTRIES) {
      Directories.deleteTree(place.resolve(entry));
    }
  }

  private BuildReport start(BuildLog log) throws IOException, InterruptedException {
    ClusterJournal.Plan before = ClusterJournal.plan(place);
    if (before != null && recovery.start() == Start.FRESH) {
      throw new BuildException(
          "%s has finished work of an interrupted build; continue with --resume, delete it with --restart, or name another output"
              .formatted(place));
    }
    if (before == null || recovery.start() != Start.RESUME) {
      deleteAll();
    }
    Files.createDirectories(place.resolve(SPLITS));
    // Ranges may be of other splits.
    Directories.deleteTree(place.resolve(RANGES));
    Files.createDirectories(place.resolve(RANGES));
    Files.createDirectories(place.resolve(DUPLICATES));
    ClusterJournal.Plan resumed = hasWork() ? before : null;
    Listing listing = list(resumed != null);
    ClusterJournal.Plan plan = plan(listing, resumed);
    try (ClusterJournal journal =
        resumed == null ? ClusterJournal.create(place, plan) : ClusterJournal.resume(place)) {
      return build(listing, listing.parts(plan.splitBytes()), journal, log);
    }
  }

  private Listing list(boolean isResumed) throws IOException {
    List<Path> hidden = new ArrayList<>(OutputPlace.of(output, null).places());
    hidden.add(place);
    Path file = place.resolve(INPUT);
    try (InputList files = isResumed ? InputList.compare(file) : InputList.write(file)) {
      return Listing.of(options, hidden, place.resolve(SKIPPED), files, progress);
    }
  }

  private ClusterJournal.Plan plan(Listing listing, ClusterJournal.@Nullable Plan before)
      throws IOException {
    var identity = new TreeMap<>(Resumption.identity(options, Target.ownIndex()));
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

  private BuildReport build(
      Listing listing, List<CrawlPart> parts, ClusterJournal journal, BuildLog log)
      throws IOException, InterruptedException {
    log.add(listing.skips());
    log.madeOf(
        new BuildReport.Origin(Resumption.identity(options, Target.ownIndex()), listing.input()));
    log.endPhase("scan");
    progress.expectBytes(listing.crawl().bytes());
    progress.enter(Stage.PARSE);
    forgetDamaged(parts.size(), journal);
    invert(parts, journal);
    List<SealedSplit> splits = leaveOutDuplicates(parts, valid(parts, journal), journal);
    CrashPoint.SPLITS_SEALED.reached();
    log.endPhase("parse");
    progress.enter(Stage.MERGE);
    List<SealedRange> ranges = merge(splits);
    log.endPhase("merge");
    BuildReport report = join(splits, ranges, log);
    progress.enter(Stage.DONE);
    return report;
  }

  private void forgetDamaged(int splits, ClusterJournal journal) throws IOException {
    for (int i = 0; i < splits; i++) {
      SealedSplit split = journal.split(i);
      if (split != null && !split.isSound(place.resolve(SPLITS))) {
        journal.forget(i);
        recovery.warnings().accept("%s is damaged and will be made again".formatted(split.name()));
      }
    }
  }

  /** Inverts the splits that are not inverted yet. */
  private void invert(List<CrawlPart> parts, ClusterJournal journal)
      throws IOException, InterruptedException {
    List<String> tasks = new ArrayList<>();
    int last = -1;
    for (int i = 0; i < parts.size(); i++) {
      SealedSplit split = journal.split(i);
      if (split == null && i > last) {
        tasks.add(Tasks.of(task(i, parts.get(i), null)));
      } else if (split != null) {
        count(split, parts.get(i));
        last = split.restRead() ? i + parts.get(i).piecesAfter() : last;
      }
    }
    run(tasks, parts, journal);
  }

  private InvertTask task(int number, CrawlPart part, @Nullable String leftOut) {
    return new InvertTask(
        number, part, TaskOptions.of(options), place.resolve(SPLITS).toString(), leftOut);
  }

  private void run(List<String> tasks, List<CrawlPart> parts, ClusterJournal journal)
      throws IOException, InterruptedException {
    if (tasks.isEmpty()) {
      return;
    }
    engine.run(
        "invert",
        tasks,
        result -> {
          SealedSplit split = Tasks.split(result);
          journal.add(result, split);
          count(split, parts.get(split.number()));
        });
  }

  private void count(SealedSplit split, CrawlPart part) {
    progress.restored(split.documents(), split.sourceBytes(), part.bytes());
  }

  /** The splits without those that an earlier one has read, too. */
  private static List<SealedSplit> valid(List<CrawlPart> parts, ClusterJournal journal) {
    List<SealedSplit> valid = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      SealedSplit split = journal.split(i);
      if (split == null) {
        throw new IllegalStateException("split %d has no result".formatted(i));
      }
      valid.add(split);
      i += split.restRead() ? parts.get(i).piecesAfter() : 0;
    }
    return valid;
  }

  /** Inverts splits again that have documents with ids of earlier splits. */
  private List<SealedSplit> leaveOutDuplicates(
      List<CrawlPart> parts, List<SealedSplit> splits, ClusterJournal journal)
      throws IOException, InterruptedException {
    if (options.duplicates() == Duplicates.KEEP) {
      return splits;
    }
    List<Set<String>> ids = sharedIds(parts, splits);
    List<String> tasks = new ArrayList<>();
    for (int i = 0; i < splits.size(); i++) {
      if (!ids.get(i).isEmpty()) {
        SealedSplit split = splits.get(i);
        CrawlPart part = parts.get(split.number());
        Path file = place.resolve(DUPLICATES).resolve("%06d".formatted(split.number()));
        WithoutIds.write(file, ids.get(i));
        progress.forget(split.documents(), split.sourceBytes(), part.bytes());
        tasks.add(Tasks.of(task(split.number(), part, file.toString())));
      }
    }
    run(tasks, parts, journal);
    return valid(parts, journal);
  }

  /** For each split, the ids of its documents that earlier splits have. */
  private List<Set<String>> sharedIds(List<CrawlPart> parts, List<SealedSplit> splits)
      throws IOException {
    List<Set<String>> ids =
        Stream.generate(() -> (Set<String>) new LinkedHashSet<String>())
            .limit(splits.size())
            .toList();
    try (Closer closer = Closer.create()) {
      List<InvertedIndex> open = new ArrayList<>();
      for (SealedSplit split : splits) {
        InvertedIndex index = split.open(place.resolve(SPLITS));
        closer.register(index::close);
        open.add(index);
      }
      List<String> names = splits.stream().map(split -> parts.get(split.number()).name()).toList();
      IdPolicy policy = options.duplicates() == Duplicates.ERROR ? IdPolicy.ERROR : IdPolicy.SKIP;
      SharedIds.find(open, names, policy, (id, index) -> ids.get(index).add(id));
    }
    return ids;
  }

  private List<SealedRange> merge(List<SealedSplit> splits)
      throws IOException, InterruptedException {
    List<String> tasks = new ArrayList<>();
    for (TermRange range : ranges(splits)) {
      tasks.add(
          Tasks.of(
              new MergeTask(
                  tasks.size(),
                  place.resolve(SPLITS).toString(),
                  splits,
                  range.from(),
                  range.to(),
                  place.resolve(RANGES).toString())));
    }
    progress.expectRanges(tasks.size());
    TreeMap<Integer, SealedRange> ranges = new TreeMap<>();
    engine.run(
        "merge",
        tasks,
        result -> {
          SealedRange range = Tasks.range(result);
          ranges.put(range.number(), range);
          progress.range();
        });
    if (ranges.size() != tasks.size()) {
      throw new IllegalStateException(
          "%d of %d ranges have a result".formatted(ranges.size(), tasks.size()));
    }
    return List.copyOf(ranges.values());
  }

  /** Ranges between terms of the largest split. */
  private List<TermRange> ranges(List<SealedSplit> splits) throws IOException {
    SealedSplit largest = splits.getFirst();
    for (SealedSplit split : splits) {
      largest = split.sourceBytes() > largest.sourceBytes() ? split : largest;
    }
    try (InvertedIndex index = largest.open(place.resolve(SPLITS))) {
      return IndexLists.ranges(List.of(index), engine.slots());
    }
  }

  private BuildReport join(List<SealedSplit> splits, List<SealedRange> ranges, BuildLog log)
      throws IOException, InterruptedException {
    Path directory = place.resolve(SPLITS);
    List<Path> indexes = splits.stream().map(split -> split.in(directory)).toList();
    List<BuildReport> parts = new ArrayList<>();
    for (Path index : indexes) {
      parts.add(BuildReport.read(index));
    }
    BuildReport[] report = new BuildReport[1];
    IndexMerge.Options joining =
        new IndexMerge.Options(
            indexes,
            output,
            options.overwrite(),
            null,
            options.resources().threads(),
            options.resources().space());
    IndexMerge.ofParts(
            joining,
            (done, total) -> progress.beat(),
            (inputs, to) -> append(ranges, to),
            place.resolve(SKIPPED),
            made -> {
              log.endPhase("finish");
              BuildLog.Content content = BuildLog.Content.of(made.metadata(), made.top());
              report[0] = log.joined(options, content, parts, made.directory(), made.terms());
              CrashPoint.ASSEMBLED.reached();
            })
        .run();
    return Objects.requireNonNull(report[0]);
  }

  private IndexMerge.ListCounts append(List<SealedRange> ranges, InvertedIndexWriter to)
      throws IOException {
    long terms = 0;
    long sharedIds = 0;
    for (SealedRange range : ranges) {
      to.append(range.in(place.resolve(RANGES)), range.part());
      terms += range.terms();
      sharedIds += range.sharedIds();
      progress.beat();
    }
    return new IndexMerge.ListCounts(terms, sharedIds);
  }
}
