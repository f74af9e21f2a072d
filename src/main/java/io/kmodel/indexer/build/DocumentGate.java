package io.kmodel.indexer.build;

import io.kmodel.indexer.source.HeapGuard;
import java.util.concurrent.Semaphore;

/**
 * Keeps the documents that are being parsed within the heap. Half of the heap for documents is
 * shared out among the threads: a document that fits its thread's share goes ahead. The other half
 * is for one large document at a time; others wait for it. So no document waits while it holds what
 * another one waits for. Safe for many threads; each takes a {@link #lane} of its own.
 */
final class DocumentGate {
  private final long shareBytes;
  private final long largeBytes;
  private final Semaphore large = new Semaphore(1, true);

  DocumentGate(long heapBytes, int threads) {
    this.largeBytes = heapBytes / 2;
    this.shareBytes = heapBytes / 2 / threads;
  }

  /** A thread's way through the gate. */
  Lane lane() {
    return new Lane();
  }

  /** For one thread. */
  final class Lane implements HeapGuard {
    private boolean holdsLarge;

    @Override
    public long freeBytes() {
      return shareBytes;
    }

    @Override
    public long largestBytes() {
      return largeBytes;
    }

    @Override
    public boolean reserve(long heapBytes) throws InterruptedException {
      if (heapBytes <= shareBytes || (holdsLarge && heapBytes <= largeBytes)) {
        return true;
      }
      if (heapBytes > largeBytes) {
        return false;
      }
      large.acquire();
      holdsLarge = true;
      return true;
    }

    /** Ends a document; its thread keeps nothing of its size. */
    void leave() {
      if (holdsLarge) {
        holdsLarge = false;
        large.release();
      }
    }
  }
}
