package io.kmodel.indexer.store;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Buffers for files that will probably be appended to another one soon (see {@link
 * OutputFile#hold}). Memory: at most the given limit, on the heap; buffers are allocated on demand
 * and reused. Thread-safe.
 */
public final class BufferPool {
  /** Number of buffers that may still be allocated. */
  private final AtomicInteger left;

  private final Queue<byte[]> free = new ConcurrentLinkedQueue<>();

  /**
   * Creates a pool.
   *
   * @param bytes the limit for all buffers together
   */
  public BufferPool(long bytes) {
    this.left = new AtomicInteger((int) Math.min(bytes / OutputFile.BUFFER_BYTES, 1 << 20));
  }

  /** Takes a buffer of {@value OutputFile#BUFFER_BYTES} bytes; returns null if all are in use. */
  byte @Nullable [] take() {
    byte[] buffer = free.poll();
    if (buffer == null && left.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
      buffer = new byte[OutputFile.BUFFER_BYTES];
    }
    return buffer;
  }

  void give(byte[] buffer) {
    free.add(buffer);
  }
}
