package io.kmodel.indexer.build;

import java.util.concurrent.Semaphore;

/**
 * Keeps the documents that are being parsed within the heap: a large document waits until there is
 * room for its tree and text. Small ones pass without asking. Fair, so that a large document is not
 * overtaken for ever. Safe for many threads.
 */
final class DocumentGate {
  /**
   * Heap per byte of a document, at its worst: the raw bytes, jsoup's tree of them (nodes of short
   * texts cost most), and the text.
   */
  static final int HEAP_PER_BYTE = 24;

  /** Documents below this do not ask; {@link MemoryPlan} leaves room for one per thread. */
  private static final int SMALL_BYTES = 256 << 10;

  private static final int PERMIT_BYTES = 1 << 10;

  private final Semaphore permits;
  private final int total;

  DocumentGate(long heapBytes) {
    this.total = (int) Math.min(Integer.MAX_VALUE, heapBytes / PERMIT_BYTES);
    this.permits = new Semaphore(total, true);
  }

  /** The largest document that the gate lets through. */
  int maxDocumentBytes() {
    return (int) Math.min(Integer.MAX_VALUE - 64, (long) total * PERMIT_BYTES / HEAP_PER_BYTE);
  }

  /**
   * Waits for room for a document.
   *
   * @return what to hand to {@link #leave}
   */
  int enter(int documentBytes) throws InterruptedException {
    if (documentBytes < SMALL_BYTES) {
      return 0;
    }
    int wanted = (int) Math.min(total, (long) documentBytes * HEAP_PER_BYTE / PERMIT_BYTES + 1);
    permits.acquire(wanted);
    return wanted;
  }

  void leave(int entered) {
    permits.release(entered);
  }
}
