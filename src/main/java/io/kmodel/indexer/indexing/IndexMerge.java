package io.kmodel.indexer.indexing;

import com.google.common.io.Closer;
import io.kmodel.indexer.index.InvertedIndex;
import io.kmodel.indexer.index.InvertedIndexWriter;
import io.kmodel.indexer.index.documents.KeptDocuments;
import io.kmodel.indexer.index.model.FieldStatistics;
import io.kmodel.indexer.index.model.FormatLimitException;
import io.kmodel.indexer.index.model.IndexFiles;
import io.kmodel.indexer.index.model.IndexMetadata;
import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.index.model.TermDistribution;
import io.kmodel.indexer.index.model.TopTerms;
import io.kmodel.indexer.indexing.journal.OutputPlace;
import io.kmodel.indexer.indexing.journal.WorkDirectory;
import io.kmodel.indexer.indexing.merge.DocumentValues;
import io.kmodel.indexer.indexing.merge.IndexLists;
import io.kmodel.indexer.indexing.merge.MergeInput;
import io.kmodel.indexer.indexing.merge.SharedIds;
import io.kmodel.indexer.indexing.options.BuildException;
import io.kmodel.indexer.indexing.options.IdPolicy;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.indexing.report.SkipLog;
import io.kmodel.indexer.source.Location;
import io.kmodel.indexer.source.SkipListener;
import io.kmodel.indexer.source.SkipReason;
import io.kmodel.indexer.store.disk.DiskSpace;
import io.kmodel.indexer.store.disk.Places;
import io.kmodel.indexer.store.disk.StagedOutput.Replaceable;
import io.kmodel.indexer.task.Workers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Merges indexes into one, with their documents in the order of the indexes: the same bytes as an
 * index that is built of the same documents at once. All have the same fields, analysis and other
 * options. Of documents with the same id, an {@link IdPolicy} decides which ones stay; blocks of
 * stored texts that lose documents are smaller than those of a build.
 *
 * <p>Memory on the heap: for each index and thread the buffers of its readers, some 300 KiB; a bit
 * for each document if ids must differ; and {@value #HELD_BYTES} bytes for merged postings. Open
 * files: those of all indexes. The index appears under its name when it is complete; after a
 * failure nothing is left.
 */
public final class IndexMerge {
  private static final long HELD_BYTES = 32 << 20;

  /**
   * The merged index.
   *
   * @param ofLast how many of the documents come from the last index
   * @param sharedIds documents whose id an earlier index or document has
   * @param skipped documents left out because an earlier one has their id
   * @param replaced documents left out because a later one has their id
   */
  public record Result(
      int indexes,
      int documents,
      int ofLast,
      long terms,
      long sharedIds,
      long skipped,
      long replaced) {}

  /** Decides which documents are left out. */
  @FunctionalInterface
  interface LeavingOut {
    /**
     * Finds them.
     *
     * @param skips records those that the report must name
     * @return the documents of each index
     */
    List<BitSet> find(List<InvertedIndex> indexes, SkipLog skips) throws IOException;
  }

  /** Is called when the new index is complete, before it gets its name. */
  @FunctionalInterface
  public interface CompletionListener {
    void completed(Made made) throws IOException;
  }

  /**
   * A complete index without its name.
   *
   * @param top the terms that most documents have
   */
  public record Made(
      Path directory,
      IndexMetadata metadata,
      Result result,
      TermDistribution terms,
      List<TopTerms.Top> top) {}

  /** Writes the lists of all terms, in a thread besides the one that copies documents. */
  @FunctionalInterface
  public interface ListsMerge {
    /**
     * Writes them.
     *
     * @return counts of the written lists
     */
    ListCounts merge(List<MergeInput> inputs, InvertedIndexWriter to)
        throws IOException, InterruptedException;
  }

  /**
   * Counts of merged lists.
   *
   * @param terms distinct terms
   * @param sharedIds documents with the id of an earlier one
   */
  public record ListCounts(long terms, long sharedIds) {}

  /**
   * What to merge.
   *
   * @param indexes in the order of their documents
   * @param output where the merged index appears. If it is the first index, that is replaced
   * @param overwrite whether another index may be replaced
   * @param duplicates which documents with the same id stay; null for what the indexes were made
   *     with
   * @param threads how many merge
   * @param space whether the disk must have room
   */
  public record Options(
      List<Path> indexes,
      Path output,
      boolean overwrite,
      @Nullable IdPolicy duplicates,
      int threads,
      DiskSpace space) {
    public Options {
      indexes = List.copyOf(indexes);
    }

    /** The same for other indexes. */
    public Options withIndexes(List<Path> chosen) {
      return new Options(chosen, output, overwrite, duplicates, threads, space);
    }
  }

  private final Options options;
  private final List<Path> indexes;
  private final Path output;
  private final ProgressListener progress;

  /** Names the indexes in lists and errors. */
  private final List<String> names;

  private final CompletionListener completion;

  /** Writes the lists elsewhere; null for this process. */
  private final @Nullable ListsMerge elsewhere;

  /** A list of skipped documents that comes before those of the indexes; null for none. */
  private final @Nullable Path skippedBefore;

  /**
   * Prepares a merge.
   *
   * @param progress gets the work done, without a unit
   */
  public IndexMerge(Options options, ProgressListener progress) {
    this(options, progress, options.indexes().stream().map(Path::toString).toList(), made -> {});
  }

  /**
   * The same with something to do before the new index gets its name.
   *
   * @param names of the indexes, in lists and errors about their documents
   */
  IndexMerge(
      Options options,
      ProgressListener progress,
      List<String> names,
      CompletionListener completion) {
    this(options, progress, names, completion, null, null);
  }

  private IndexMerge(
      Options options,
      ProgressListener progress,
      List<String> names,
      CompletionListener completion,
      @Nullable ListsMerge elsewhere,
      @Nullable Path skippedBefore) {
    this.elsewhere = elsewhere;
    this.skippedBefore = skippedBefore;
    this.options = options;
    this.indexes = options.indexes();
    this.output = options.output();
    this.progress = progress;
    this.names = List.copyOf(names);
    this.completion = completion;
  }

  /**
   * The parts of a build that were made elsewhere, joined.
   *
   * @param lists writes the lists of all terms
   * @param skipped a list of skipped documents that comes before those of the parts
   * @param completion is called before the index gets its name
   */
  public static IndexMerge ofParts(
      Options options,
      ProgressListener progress,
      ListsMerge lists,
      Path skipped,
      CompletionListener completion) {
    List<String> names = options.indexes().stream().map(Path::toString).toList();
    return new IndexMerge(options, progress, names, completion, lists, skipped);
  }

  /**
   * Merges.
   *
   * @throws BuildException if the output cannot be written, indexes differ in what an index
   *     records, or two documents have the same id although the policy does not allow it
   * @throws FormatLimitException if there are more documents than an index holds
   * @throws io.kmodel.indexer.store.CorruptIndexException if an index is damaged
   */
  public Result run() throws IOException, InterruptedException {
    return run(elsewhere == null ? null : IndexMerge::none);
  }

  /** Parts that are merged elsewhere have only documents that stay. */
  private static List<BitSet> none(List<InvertedIndex> indexes, SkipLog skips) {
    return indexes.stream().map(index -> new BitSet()).toList();
  }

  /**
   * The same without some of the documents.
   *
   * @param leaving null for what the policy says
   */
  Result run(@Nullable LeavingOut leaving) throws IOException, InterruptedException {
    boolean inPlace = isInPlace();
    MergeChecks.requireDifferent(indexes, output, inPlace);
    @Nullable Replaceable replaceable =
        options.overwrite() || inPlace ? Target.ownIndex()::isIndex : null;
    OutputPlace.requireApart(inPlace ? others() : indexes, output, replaceable);
    List<InvertedIndex> open = new ArrayList<>();
    // Locks the output first, so that an index is not changed while another one is made of it.
    try (WorkDirectory directory = WorkDirectory.create(output, replaceable);
        Closer closer = Closer.create()) {
      for (Path index : indexes) {
        MergeChecks.requireFiles(open, indexes.size());
        InvertedIndex opened = InvertedIndex.open(Places.real(index));
        closer.register(opened::close);
        open.add(opened);
      }
      return merge(open, leaving, directory);
    }
  }

  private List<Path> others() {
    return indexes.subList(1, indexes.size());
  }

  /** As many threads as there is heap for their cursors. */
  private int threads(int inputs) {
    long room = Runtime.getRuntime().maxMemory() / 2 - HELD_BYTES;
    long most = room / ((long) IndexLists.CURSOR_BYTES * inputs);
    if (most < 1) {
      throw new BuildException(
          "%d indexes are too many to be merged at a time with a heap of %d MiB; raise INDEXER_JAVA_OPTIONS=-Xmx"
              .formatted(inputs, Runtime.getRuntime().maxMemory() >> 20));
    }
    return (int) Math.min(most, options.threads());
  }

  private boolean isInPlace() throws IOException {
    return Places.real(indexes.getFirst()).equals(Places.real(output));
  }

  private Result merge(
      List<InvertedIndex> open, @Nullable LeavingOut leaving, WorkDirectory directory)
      throws IOException, InterruptedException {
    InvertedIndex first = open.getFirst();
    open.forEach(index -> MergeChecks.requireSame(first, index));
    IdPolicy policy = MergedOptions.policy(options.duplicates(), open);
    int all = documents(open);
    long bytes = open.stream().mapToLong(index -> index.metadata().bytes()).sum();
    options
        .space()
        .require(directory.root(), bytes, "the merge (of indexes of %,d bytes)".formatted(bytes));
    Path list = directory.runs().resolve(BuildReport.SKIPPED_FILE_NAME);
    List<MergeInput> inputs;
    long skipped;
    try (SkipLog skips = new SkipLog(list, SkipListener.NONE)) {
      LeavingOut choice =
          leaving == null ? (indexes, log) -> shared(indexes, policy, log) : leaving;
      inputs = inputs(open, choice.find(open, skips));
      skipped = skips.total();
    }
    if (leaving != null && isInPlace() && inputs.getFirst().kept().isAll()) {
      return unchanged(first);
    }
    int documents = inputs.stream().mapToInt(input -> input.kept().count()).sum();
    MergeSteps steps = new MergeSteps(progress, inputs);
    Made made;
    try (InvertedIndexWriter index =
        new InvertedIndexWriter(directory.index(), first.schema()).holdParts(HELD_BYTES)) {
      ListCounts lists = write(inputs, steps, index);
      IndexMetadata metadata = index.finish(documents, MergedOptions.of(open, policy));
      long replaced = leaving == null ? all - documents - skipped : 0;
      int ofLast = inputs.getLast().kept().count();
      Result result =
          new Result(
              open.size(), documents, ofLast, lists.terms(), lists.sharedIds(), skipped, replaced);
      made =
          new Made(directory.index(), metadata, result, index.distribution(), index.top().terms());
    }
    copySkipped(open, list, directory.index());
    completion.completed(made);
    directory.publish();
    return made.result();
  }

  /** Writes everything. Documents are copied while other processes merge lists. */
  private ListCounts write(List<MergeInput> inputs, MergeSteps steps, InvertedIndexWriter index)
      throws IOException, InterruptedException {
    ListsMerge merge = elsewhere;
    if (merge == null) {
      ListCounts lists = lists(inputs, steps, index);
      copyDocuments(inputs, steps, index);
      return lists;
    }
    try (Workers workers = new Workers("lists", 1)) {
      Future<ListCounts> lists = workers.submit(() -> merge.merge(inputs, index));
      copyDocuments(inputs, steps, index);
      return Workers.get(lists);
    }
  }

  private static void copyDocuments(
      List<MergeInput> inputs, MergeSteps steps, InvertedIndexWriter index) throws IOException {
    DocumentValues.copyLengths(inputs, index);
    DocumentValues.copyColumns(inputs, index);
    if (IndexFiles.hasStoredFields(index.schema())) {
      for (MergeInput input : inputs) {
        index.appendDocuments(input.index(), input.kept());
        steps.copied(input);
      }
    }
  }

  private ListCounts lists(List<MergeInput> inputs, MergeSteps steps, InvertedIndexWriter index)
      throws IOException, InterruptedException {
    IndexLists lists = new IndexLists(inputs, steps.lists());
    int merging = threads(inputs.size());
    try (Workers workers = Workers.givingWay("merge", merging)) {
      lists.merge(index, workers, merging);
    }
    return new ListCounts(lists.terms(), lists.sharedIds());
  }

  private static int documents(List<InvertedIndex> open) {
    long documents = open.stream().mapToLong(InvertedIndex::documentCount).sum();
    if (documents >= Integer.MAX_VALUE) {
      throw new FormatLimitException(
          "the indexes have %d documents together; an index holds at most %d"
              .formatted(documents, Integer.MAX_VALUE - 1));
    }
    return (int) documents;
  }

  private static Result unchanged(InvertedIndex index) {
    long terms = index.metadata().statistics().stream().mapToLong(FieldStatistics::terms).sum();
    return new Result(1, index.documentCount(), index.documentCount(), terms, 0, 0, 0);
  }

  private List<BitSet> shared(List<InvertedIndex> open, IdPolicy policy, SkipLog skips)
      throws IOException {
    return SharedIds.find(
        open,
        names,
        policy,
        (id, index) -> {
          if (policy == IdPolicy.SKIP) {
            skips.skipped(
                new Location(names.get(index), -1, id),
                SkipReason.DUPLICATE,
                "an earlier document has this id");
          }
        });
  }

  private static List<MergeInput> inputs(List<InvertedIndex> open, List<BitSet> leftOut) {
    List<MergeInput> inputs = new ArrayList<>();
    for (int i = 0; i < open.size(); i++) {
      InvertedIndex index = open.get(i);
      inputs.add(
          new MergeInput(index, KeptDocuments.without(leftOut.get(i), index.documentCount())));
    }
    return inputs;
  }

  /** Joins the lists of documents that were skipped before and now. */
  private void copySkipped(List<InvertedIndex> open, Path now, Path directory) throws IOException {
    List<Path> lists = new ArrayList<>();
    if (skippedBefore != null) {
      lists.add(skippedBefore);
    }
    open.stream()
        .map(index -> index.directory().resolve(BuildReport.SKIPPED_FILE_NAME))
        .filter(Files::exists)
        .forEach(lists::add);
    lists.add(now);
    SkipLog.join(lists, directory.resolve(BuildReport.SKIPPED_FILE_NAME));
  }
}
