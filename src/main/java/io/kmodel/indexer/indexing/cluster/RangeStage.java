package io.kmodel.indexer.indexing.cluster;

import io.kmodel.indexer.index.InvertedIndexWriter;
import io.kmodel.indexer.index.PostingsPart;
import io.kmodel.indexer.indexing.IndexMerge;
import io.kmodel.indexer.indexing.merge.IndexLists;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.BuildReport;
import io.kmodel.indexer.indexing.report.Json;
import io.kmodel.indexer.merge.TermRange;
import io.kmodel.indexer.store.CorruptIndexException;
import io.kmodel.indexer.task.Workers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/** Merges the splits by ranges of terms, and joins the ranges and the documents to an index. */
final class RangeStage {
  /** In a workspace: a list of the splits, in JSON. */
  static final String LIST = "splits.json";

  private final List<SealedSplit> splits;
  private final Workspace work;
  private final TaskEngine engine;
  private final BuildProgress progress;

  RangeStage(List<SealedSplit> splits, Workspace work, TaskEngine engine, BuildProgress progress) {
    this.splits = List.copyOf(splits);
    this.work = work;
    this.engine = engine;
    this.progress = progress;
  }

  /** Ranges between terms of the largest split. */
  private List<TermRange> ranges() throws IOException {
    SealedSplit largest = splits.getFirst();
    for (SealedSplit split : splits) {
      largest = split.sourceBytes() > largest.sourceBytes() ? split : largest;
    }
    try (Workspace.OpenSplit open = work.open(largest)) {
      open.need(TermRange.ALL);
      return IndexLists.ranges(List.of(open.index()), engine.slots(), work.leastRangeBytes());
    } catch (CorruptIndexException e) {
      throw work.damaged(e);
    }
  }

  /** Passes on the joined index before it gets its name. */
  @FunctionalInterface
  interface Joined {
    void made(IndexMerge.Made made, List<BuildReport> parts) throws IOException;
  }

  /**
   * Merges and joins. Ranges are appended, and documents copied, while tasks merge others.
   *
   * @param options of the joined index; its indexes do not count
   * @param skipped a list of skipped documents that comes before those of the splits
   */
  void run(IndexMerge.Options options, Path skipped, Joined joined)
      throws IOException, InterruptedException {
    List<Path> indexes = new ArrayList<>();
    List<BuildReport> reports = new ArrayList<>();
    try {
      for (SealedSplit split : splits) {
        Path index = work.withoutPostings(split);
        indexes.add(index);
        reports.add(BuildReport.read(index));
      }
      List<String> tasks = tasks();
      IndexMerge.ofParts(
              options.withIndexes(indexes),
              (done, total) -> progress.beat(),
              (inputs, to) -> merge(tasks, to),
              skipped,
              made -> joined.made(made, reports))
          .run();
    } catch (CorruptIndexException e) {
      throw work.damaged(e);
    } finally {
      for (Path index : indexes) {
        work.release(index);
      }
    }
  }

  private List<String> tasks() throws IOException {
    work.write(LIST, Json.MAPPER.writeValueAsBytes(splits));
    List<String> tasks = new ArrayList<>();
    for (TermRange range : ranges()) {
      tasks.add(
          Tasks.of(new MergeTask(tasks.size(), LIST, range.from(), range.to(), work.place())));
    }
    progress.expectRanges(tasks.size());
    return tasks;
  }

  private IndexMerge.ListCounts merge(List<String> tasks, InvertedIndexWriter to)
      throws IOException, InterruptedException {
    List<CompletableFuture<SealedRange>> merged =
        Stream.generate(CompletableFuture<SealedRange>::new).limit(tasks.size()).toList();
    try (Workers workers = new Workers("join", 1 + PostingsPart.FILES)) {
      Future<IndexMerge.ListCounts> appended = workers.submit(() -> append(merged, to, workers));
      engine.run(
          "merge",
          tasks,
          result -> {
            SealedRange range = Tasks.range(result);
            merged.get(range.number()).complete(range);
          });
      for (int i = 0; i < merged.size(); i++) {
        if (!merged.get(i).isDone()) {
          throw new IllegalStateException("range %d has no result".formatted(i));
        }
      }
      return Workers.get(appended);
    }
  }

  /** Appends the ranges in order, as soon as each is merged. */
  private IndexMerge.ListCounts append(
      List<CompletableFuture<SealedRange>> merged, InvertedIndexWriter to, Executor threads)
      throws IOException, InterruptedException {
    long terms = 0;
    long sharedIds = 0;
    for (CompletableFuture<SealedRange> next : merged) {
      SealedRange range = Workers.get(next);
      Path files = work.files(range);
      try {
        to.append(files, range.part(), threads);
      } finally {
        work.release(files);
      }
      terms += range.terms();
      sharedIds += range.sharedIds();
      progress.range();
    }
    return new IndexMerge.ListCounts(terms, sharedIds);
  }
}
