package io.kmodel.indexer.source;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Memory outside of the heap for what is unpacked of one file ahead of who reads it: asked for bit
 * by bit, and freed at once. Safe for many threads; closed when none uses any of it.
 */
final class AheadArena implements AutoCloseable {
  private final AheadMemory memory;
  private final AtomicLong granted = new AtomicLong();
  private final Arena arena = Arena.ofShared();

  AheadArena(AheadMemory memory) {
    this.memory = memory;
  }

  /**
   * Takes so many bytes.
   *
   * @param left how many have to be left to others then
   * @return null if there are not as many now
   */
  @Nullable MemorySegment take(long bytes, long left) {
    if (!memory.take(bytes, left)) {
      return null;
    }
    granted.addAndGet(bytes);
    return allocate(bytes);
  }

  /** So many bytes for which nobody is asked. */
  MemorySegment allocate(long bytes) {
    return arena.allocate(bytes, Long.BYTES);
  }

  @Override
  public void close() {
    try (arena) {
      memory.giveBack(granted.getAndSet(0));
    }
  }
}
