package io.kmodel.indexer.export.lucene;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.MergeScheduler;
import org.apache.lucene.index.MergeTrigger;

/**
 * Writes segments in a fixed number of threads and comes back when all are written. The first
 * failure is thrown, after the segments under way have ended; the others are suppressed in it and
 * segments not yet begun are left out.
 */
final class MergeThreads extends MergeScheduler {
  private final int threads;

  MergeThreads(int threads) {
    this.threads = threads;
  }

  @Override
  public void merge(MergeSource source, MergeTrigger trigger) throws IOException {
    if (!source.hasPendingMerges()) {
      return;
    }
    try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      List<Future<?>> workers = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        workers.add(
            executor.submit(
                () -> {
                  drain(source);
                  return null;
                }));
      }
      await(workers);
    }
  }

  @Override
  public void close() {}

  /** Writes segments until there is none left; after a failure none is. */
  private static void drain(MergeSource source) throws IOException {
    for (MergePolicy.OneMerge merge; (merge = source.getNextMerge()) != null; ) {
      try {
        source.merge(merge);
      } catch (IOException | RuntimeException | Error e) {
        abandon(source);
        throw e;
      }
    }
  }

  private static void abandon(MergeSource source) {
    for (MergePolicy.OneMerge merge; (merge = source.getNextMerge()) != null; ) {
      source.onMergeFinished(merge);
    }
  }

  private static void await(List<Future<?>> workers) throws IOException {
    Throwable failure = null;
    for (Future<?> worker : workers) {
      try {
        worker.get();
      } catch (ExecutionException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        if (failure == null) {
          failure = cause;
        } else {
          failure.addSuppressed(cause);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while segments were written", e);
      }
    }
    if (failure instanceof IOException e) {
      throw e;
    } else if (failure instanceof RuntimeException e) {
      throw e;
    } else if (failure instanceof Error e) {
      throw e;
    } else if (failure != null) {
      throw new IOException("a segment could not be written", failure);
    }
  }
}
