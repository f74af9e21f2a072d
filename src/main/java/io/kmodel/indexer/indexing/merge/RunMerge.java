package io.kmodel.indexer.indexing.merge;

import io.kmodel.indexer.index.InvertedIndexWriter;
import io.kmodel.indexer.index.PostingsPart;
import io.kmodel.indexer.index.WriterCheckpoint;
import io.kmodel.indexer.index.model.PostingsCopier;
import io.kmodel.indexer.indexing.journal.Checkpoints;
import io.kmodel.indexer.indexing.journal.CrashPoint;
import io.kmodel.indexer.indexing.options.FileLimits;
import io.kmodel.indexer.indexing.report.Activity;
import io.kmodel.indexer.indexing.report.BuildProgress;
import io.kmodel.indexer.indexing.report.StageClock;
import io.kmodel.indexer.merge.MergingCursor;
import io.kmodel.indexer.merge.TermRange;
import io.kmodel.indexer.merge.TermRanges;
import io.kmodel.indexer.run.SortedRun;
import io.kmodel.indexer.store.disk.FreeFiles;
import io.kmodel.indexer.task.Workers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * Merges the runs into the postings of the index, a range of terms per task. Ranges are merged
 * concurrently and appended in order while later ones are still merged. From time to time the
 * appended part is saved; a resumed build continues after it. Memory: the buffers of the readers.
 */
public final class RunMerge {
  /** Ranges per thread: enough that a slow last one keeps no thread idle for long. */
  private static final int RANGES_PER_THREAD = 8;

  /** A crash loses the ranges in progress, so they are not larger. */
  private static final long LARGEST_RANGE_BYTES = 256L << 20;

  /** With fewer bytes of a run in a range, readers would seek too often. */
  private static final long LEAST_OF_A_RUN = 256L << 10;

  /** Each range leaves a file of terms until the end of the merge. */
  private static final int MAX_RANGES = 4096;

  /** Minimum of ranges that are merged or wait to be appended. */
  private static final int AHEAD_PER_THREAD = 2;

  /** The maximum, if there is memory: so no thread waits while the first range takes long. */
  private static final int MOST_AHEAD_PER_THREAD = 4;

  /**
   * With fewer threads, all of them merge. One thread appends a gigabyte a second, three quarters
   * of it positions; sixteen threads merge more than that.
   */
  private static final int THREADS_TO_APPEND_ASIDE = 4;

  private final OpenRuns runs;
  private final InvertedIndexWriter index;
  private final Checkpoints saved;
  private final StageClock clock;
  private final BuildProgress progress;

  /** Ranges that are in the index. */
  private int appended;

  /** Ranges that a resumed build would find there. */
  private int checkpointed;

  public RunMerge(
      OpenRuns runs,
      InvertedIndexWriter index,
      Checkpoints saved,
      StageClock clock,
      BuildProgress progress) {
    this.runs = runs;
    this.index = index;
    this.saved = saved;
    this.clock = clock;
    this.progress = progress;
  }

  /**
   * Merges all terms, or those that an interrupted build has not merged, {@code threads} ranges at
   * a time. While it waits for a range, it appends stored documents and columns to the index.
   *
   * @param heldBytes memory for parts of the index that wait to be appended
   * @param documents files of stored documents, in order
   * @param columns files of columns, in order
   */
  public void merge(
      Workers workers,
      int threads,
      long heldBytes,
      Collection<Path> documents,
      Collection<Path> columns)
      throws IOException, InterruptedException {
    List<TermRange> ranges = ranges(threads, heldBytes);
    appended = saved.mergedRanges();
    checkpointed = appended;
    progress.expectRanges(ranges.size());
    for (int i = 0; i < appended; i++) {
      progress.range();
    }
    int inMemory =
        Math.clamp(
            heldBytes / PostingsPart.LEAST_BYTES,
            AHEAD_PER_THREAD * threads,
            MOST_AHEAD_PER_THREAD * threads);
    int ahead = FileLimits.ranges(FreeFiles.count(), inMemory);
    OrderedRanges<PostingsPart> parts =
        new OrderedRanges<>(
            ranges,
            appended,
            new OrderedRanges.Limits(threads, ahead),
            this::merge,
            workers::submit);
    List<StageClock.Action<IOException>> appends = new ArrayList<>();
    documents.forEach(file -> appends.add(() -> index.appendDocuments(file)));
    columns.forEach(file -> appends.add(() -> index.appendColumns(file)));
    Iterator<StageClock.Action<IOException>> splits = appends.iterator();
    try (parts;
        Workers appending = new Workers("append", PostingsPart.FILES)) {
      parts.begin();
      appendLengths();
      Executor files = timed(threads < THREADS_TO_APPEND_ASIDE ? Runnable::run : appending);
      while (!parts.isEmpty()) {
        while (splits.hasNext() && !parts.element().isDone()) {
          append(splits.next());
        }
        append(Workers.get(parts.element()), files);
        parts.remove();
      }
      CrashPoint.ALL_MERGED.reached();
      if (saved.isKept()) {
        checkpoint();
      }
      while (splits.hasNext()) {
        append(splits.next());
      }
    } catch (IOException | InterruptedException | RuntimeException e) {
      rescue(e);
      throw e;
    }
  }

  private Executor timed(Executor files) {
    return task -> files.execute(() -> clock.time(Activity.ASSEMBLE, task::run));
  }

  private List<TermRange> ranges(int threads, long heldBytes) throws IOException {
    List<TermRange> before = saved.ranges();
    if (before != null) {
      return before;
    }
    long bytes = runs.runs().stream().mapToLong(SortedRun::listBytes).sum();
    long wanted =
        Math.max(
            threads == 1 ? 1 : threads * RANGES_PER_THREAD,
            bytes / rangeBytes(threads, heldBytes, runs.runs().size()));
    List<TermRange> ranges =
        TermRanges.cutTapering(runs.runs(), (int) Math.min(wanted, MAX_RANGES));
    List<byte[]> keys = new ArrayList<>();
    for (TermRange range : ranges) {
      if (range.from() != null) {
        keys.add(range.from());
      }
    }
    saved.rangesCut(keys);
    return ranges;
  }

  /**
   * Bytes of the runs in a range, so that parts in progress fit in memory on average. With many
   * runs, each has less in a range.
   *
   * @param heldBytes memory for parts that wait
   */
  static long rangeBytes(int threads, long heldBytes, int runs) {
    long inMemory = heldBytes / (2L * threads * AHEAD_PER_THREAD);
    long least = Math.min(LEAST_OF_A_RUN * Math.max(1, runs), LARGEST_RANGE_BYTES);
    return Math.clamp(inMemory, least, LARGEST_RANGE_BYTES);
  }

  /** Saves the part of the index that is complete. */
  private void checkpoint() throws IOException {
    if (appended > checkpointed) {
      int count = appended;
      WriterCheckpoint at = index.checkpoint();
      checkpointed = count;
      saved.rangesMerged(count, at);
    }
  }

  /** After a failure: saves the merged ranges, so that a resumed build continues after them. */
  private void rescue(Exception cause) {
    boolean interrupted = Thread.interrupted();
    try {
      if (saved.isKept() && index.isWhole()) {
        checkpoint();
      }
    } catch (IOException | RuntimeException e) {
      cause.addSuppressed(e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void append(PostingsPart part, Executor files) throws IOException {
    try (part) {
      index.append(part, files);
      // Even if deleting the files of the part fails: the next checkpoint includes the range.
      appended++;
      progress.range();
    }
    CrashPoint.RANGE_MERGED.reached();
    if (saved.isDue()) {
      checkpoint();
    }
  }

  /** Merges a range. An early one waits long, so it goes to files and leaves memory to others. */
  private PostingsPart merge(TermRange range, boolean early) throws IOException {
    return clock.timed(Activity.MERGE, () -> merged(range, early));
  }

  private PostingsPart merged(TermRange range, boolean early) throws IOException {
    PostingsPart part = early ? index.newPartInFiles() : index.newPart();
    try (MergingCursor merged = OpenRuns.cursor(runs.runs(), range, runs.bufferBytes())) {
      new PostingsCopier().copy(merged, new ProgressConsumer(part, progress));
    } catch (IOException | RuntimeException e) {
      part.close();
      throw e;
    }
    return part;
  }

  private void appendLengths() throws IOException {
    clock.time(
        Activity.ASSEMBLE, () -> Lengths.copy(runs.runs(), index.schema(), index::appendLengths));
  }

  private void append(StageClock.Action<IOException> file) throws IOException {
    clock.time(Activity.ASSEMBLE, file);
    progress.beat();
  }
}
