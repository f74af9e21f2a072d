package io.kmodel.indexer.build;

import io.kmodel.indexer.build.StageClock.Work;
import io.kmodel.indexer.index.InvertedIndexWriter;
import io.kmodel.indexer.index.PostingsCopier;
import io.kmodel.indexer.index.PostingsPart;
import io.kmodel.indexer.merge.MergingCursor;
import io.kmodel.indexer.merge.TermRange;
import io.kmodel.indexer.merge.TermRanges;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Future;

/**
 * Merges the runs into the index's postings, a range of terms per task: the ranges are merged side
 * by side and appended in order while later ones are still at work. Memory: the readers' buffers.
 */
final class RunMerge {
  /** Ranges per thread: enough that a slow one at the end leaves no thread idle for long. */
  private static final int RANGES_PER_THREAD = 8;

  /** Ranges being merged or waiting to be appended; each holds three open files. */
  private static final int AHEAD_PER_THREAD = 2;

  private final OpenRuns runs;
  private final InvertedIndexWriter index;
  private final StageClock clock;
  private final BuildProgress progress;

  RunMerge(OpenRuns runs, InvertedIndexWriter index, StageClock clock, BuildProgress progress) {
    this.runs = runs;
    this.index = index;
    this.clock = clock;
    this.progress = progress;
  }

  /** Merges all terms, with {@code threads} ranges at a time. */
  void merge(Workers workers, int threads) throws IOException, InterruptedException {
    List<TermRange> ranges =
        TermRanges.cut(runs.readers(), threads == 1 ? 1 : threads * RANGES_PER_THREAD);
    progress.expectRanges(ranges.size());
    Deque<Future<PostingsPart>> parts = new ArrayDeque<>();
    Iterator<TermRange> next = ranges.iterator();
    submit(next, threads * AHEAD_PER_THREAD, parts, workers);
    appendLengths();
    try {
      while (!parts.isEmpty()) {
        append(Workers.get(parts.element()));
        parts.remove();
        submit(next, 1, parts, workers);
      }
    } finally {
      closeAll(parts);
    }
  }

  private void submit(
      Iterator<TermRange> ranges, int count, Deque<Future<PostingsPart>> parts, Workers workers) {
    for (int i = 0; i < count && ranges.hasNext(); i++) {
      TermRange range = ranges.next();
      parts.add(workers.submit(() -> merge(range)));
    }
  }

  private void append(PostingsPart part) throws IOException {
    try (part) {
      long start = System.nanoTime();
      index.append(part);
      clock.lap(Work.ASSEMBLE, start);
      progress.range();
    }
  }

  /** After a failure: parts that are ready, or get ready before their threads are stopped. */
  private static void closeAll(Deque<Future<PostingsPart>> parts) throws IOException {
    for (Future<PostingsPart> part : parts) {
      if (!part.cancel(false) && part.state() == Future.State.SUCCESS) {
        part.resultNow().close();
      }
    }
  }

  private PostingsPart merge(TermRange range) throws IOException {
    long start = System.nanoTime();
    PostingsPart part = index.newPart();
    try (MergingCursor merged = OpenRuns.cursor(runs.readers(), range, runs.bufferBytes())) {
      new PostingsCopier().copy(merged, part);
    } catch (IOException | RuntimeException e) {
      part.close();
      throw e;
    }
    clock.lap(Work.MERGE, start);
    return part;
  }

  private void appendLengths() throws IOException {
    long start = System.nanoTime();
    Lengths.copy(runs.readers(), index.schema(), index::appendLengths);
    clock.lap(Work.ASSEMBLE, start);
  }
}
