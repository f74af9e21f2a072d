package io.kmodel.indexer.store;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Buffers for files that are likely to be appended to another one soon (see {@link
 * OutputFile#hold}). Memory: at most what it is given, on the heap, taken as it is asked for and
 * then used again and again. Safe for many threads.
 */
public final class BufferPool {
  /** Buffers that may still be made. */
  private final AtomicInteger left;

  private final Queue<byte[]> free = new ConcurrentLinkedQueue<>();

  /**
   * A pool of which no buffer is in use.
   *
   * @param bytes what they may take together
   */
  public BufferPool(long bytes) {
    this.left = new AtomicInteger((int) Math.min(bytes / OutputFile.BUFFER_BYTES, 1 << 20));
  }

  /** A buffer of {@value OutputFile#BUFFER_BYTES} bytes; null if all are in use. */
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
