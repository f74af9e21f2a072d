package io.kmodel.indexer.indexing.order;

import io.kmodel.indexer.index.model.ProgressListener;
import io.kmodel.indexer.task.Workers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Orders documents by recursive graph bisection: the documents are split into halves with similar
 * documents ({@link Splitter}), then each half, and so on. Dhulipala et al., "Compressing Graphs
 * and Indexes with Recursive Graph Bisection" (KDD 2016); Mackenzie, Mallia, Petri, Culpepper and
 * Suel, "Compressing Inverted Indexes with Recursive Graph Bisection" (ECIR 2019).
 *
 * <p>Large partitions are split by all threads together, from the forward index in a file. As soon
 * as a partition fits into a thread's share of the memory, that thread alone does it and all
 * partitions in it, from a copy on the heap with fewer terms. The result is the same either way.
 */
final class GraphBisection {
  /**
   * Partitions of at most so many documents keep their order. With 32, as in Lucene, log2 of a gap
   * is 0.8 % larger; with 8, 0.2 %.
   */
  static final int LEAST_PARTITION = 16;

  /** Partitions for each thread, so that threads end at about the same time. */
  private static final int PARTITIONS_PER_THREAD = 4;

  private final FileForward all;
  private final Workers workers;
  private final int threads;
  private final long bytesPerThread;
  private final ProgressListener progress;
  private final int[] docs;
  private final List<int[]> parts = new ArrayList<>();

  /** Documents in the partitions that were split. */
  private final AtomicLong done = new AtomicLong();

  private final long work;

  /**
   * Prepares.
   *
   * @param bytesPerThread heap for the partitions of each thread
   * @param progress gets the documents that were split, once for each level
   */
  GraphBisection(
      FileForward all,
      Workers workers,
      int threads,
      long bytesPerThread,
      ProgressListener progress) {
    this.all = all;
    this.workers = workers;
    this.threads = threads;
    this.bytesPerThread = bytesPerThread;
    this.progress = progress;
    this.docs = new int[all.documents()];
    for (int doc = 0; doc < docs.length; doc++) {
      docs[doc] = doc;
    }
    int levels = Integer.SIZE - Integer.numberOfLeadingZeros(docs.length / LEAST_PARTITION);
    this.work = (long) levels * docs.length;
  }

  /** Returns the documents in their order. */
  int[] order() throws IOException, InterruptedException {
    splitTogether(new Splitter(all, docs, new Team(workers, threads)), 0, docs.length);
    List<Callable<Boolean>> tasks = new ArrayList<>();
    for (int[] part : parts) {
      tasks.add(
          () -> {
            splitAlone(part[0], part[1]);
            return true;
          });
    }
    workers.runAll(tasks);
    return docs;
  }

  private void splitTogether(Splitter splitter, int from, int to)
      throws IOException, InterruptedException {
    if (isSmall(from, to)) {
      parts.add(new int[] {from, to});
      return;
    }
    splitter.split(from, to);
    advance(to - from);
    int half = Splitter.half(from, to);
    splitTogether(splitter, from, half);
    splitTogether(splitter, half, to);
  }

  private boolean isSmall(int from, int to) {
    int count = to - from;
    if (count <= LEAST_PARTITION) {
      return true;
    }
    if ((long) count * threads * PARTITIONS_PER_THREAD > docs.length && threads > 1) {
      return false;
    }
    long bytes = 0;
    for (int i = from; i < to; i++) {
      bytes += PartForward.bytes(all.mostTerms(docs[i]));
    }
    return bytes <= bytesPerThread;
  }

  private void splitAlone(int from, int to) throws IOException, InterruptedException {
    int[] places = splitAlone(all, docs, from, to);
    int[] part = new int[places.length];
    for (int i = 0; i < part.length; i++) {
      part[i] = docs[from + places[i]];
    }
    System.arraycopy(part, 0, docs, from, part.length);
  }

  /** Returns the order of documents of a range, in which they ascend, counted from the first. */
  private int[] splitAlone(Forward of, int[] docs, int from, int to)
      throws IOException, InterruptedException {
    int count = to - from;
    int[] places = new int[count];
    for (int i = 0; i < count; i++) {
      places[i] = i;
    }
    if (count <= LEAST_PARTITION) {
      return places;
    }
    PartForward part = PartForward.of(of, docs, from, to);
    new Splitter(part, places, Team.ALONE).split(0, count);
    advance(count);
    int half = Splitter.half(0, count);
    order(part, places, 0, half);
    order(part, places, half, count);
    return places;
  }

  private void advance(int split) {
    progress.progress(Math.min(done.addAndGet(split), work), work);
  }

  private void order(Forward part, int[] places, int from, int to)
      throws IOException, InterruptedException {
    int[] order = splitAlone(part, places, from, to);
    int[] ordered = new int[order.length];
    for (int i = 0; i < order.length; i++) {
      ordered[i] = places[from + order[i]];
    }
    System.arraycopy(ordered, 0, places, from, ordered.length);
  }
}
