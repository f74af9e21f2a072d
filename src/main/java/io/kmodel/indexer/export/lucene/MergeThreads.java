package io.kmodel.indexer.export.lucene;

import java.io.IOException;
import java.util.Collections;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.MergeScheduler;
import org.apache.lucene.index.MergeTrigger;

/**
 * Writes segments in a fixed number of threads and returns when all are written. The first failure
 * is thrown once running segments have ended, with further failures suppressed in it. Segments not
 * yet started are skipped.
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
    WriterThreads.run(threads, Collections.nCopies(threads, () -> drain(source)));
  }

  @Override
  public void close() {}

  /** Writes segments until none remain; a failure drops the remaining ones. */
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
}
