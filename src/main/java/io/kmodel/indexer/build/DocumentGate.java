package io.kmodel.indexer.build;

import io.kmodel.indexer.source.ContentType;
import java.util.concurrent.Semaphore;

/**
 * Keeps the documents that are being parsed within the heap: a large document waits until there is
 * room for what its parsing needs. Small ones pass without asking. Fair, so that a large document
 * is not overtaken for ever. Safe for many threads.
 */
final class DocumentGate {
  /** Heap per byte of HTML, at its worst: the bytes, jsoup's tree of short texts, and the text. */
  private static final int HEAP_PER_HTML_BYTE = 24;

  /** Heap per byte of plain text: the bytes, and the text as it is decoded. */
  private static final int HEAP_PER_TEXT_BYTE = 6;

  /** Documents that need less do not ask; the heap has room for one of them per thread. */
  private static final long SMALL_HEAP_BYTES = 4L << 20;

  private static final int PERMIT_BYTES = 1 << 10;

  private final Semaphore permits;
  private final int total;

  DocumentGate(long heapBytes) {
    this.total = (int) Math.min(Integer.MAX_VALUE, heapBytes / PERMIT_BYTES);
    this.permits = new Semaphore(total, true);
  }

  /** The largest document of any type that can be let through. */
  int maxDocumentBytes() {
    return maxBytes(ContentType.PLAIN_TEXT);
  }

  /** The largest document of a type that can be let through. */
  int maxBytes(ContentType type) {
    long bytes = (long) total * PERMIT_BYTES / heapPerByte(type);
    return (int) Math.min(Integer.MAX_VALUE - 64, bytes);
  }

  /**
   * Waits for room for a document of at most {@link #maxBytes}.
   *
   * @return what to hand to {@link #leave}
   */
  int enter(ContentType type, int documentBytes) throws InterruptedException {
    long heap = (long) documentBytes * heapPerByte(type);
    if (heap < SMALL_HEAP_BYTES) {
      return 0;
    }
    int wanted = (int) Math.min(total, heap / PERMIT_BYTES);
    permits.acquire(wanted);
    return wanted;
  }

  void leave(int entered) {
    permits.release(entered);
  }

  private static int heapPerByte(ContentType type) {
    return type == ContentType.HTML ? HEAP_PER_HTML_BYTE : HEAP_PER_TEXT_BYTE;
  }
}
