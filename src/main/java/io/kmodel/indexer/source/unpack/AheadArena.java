package io.kmodel.indexer.source.unpack;

import io.kmodel.indexer.source.AheadMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Off-heap memory for data of one file that is decompressed ahead of its readers. It is allocated
 * in pieces and freed as a whole. Thread-safe; may be closed once no thread uses the memory.
 */
final class AheadArena implements AutoCloseable {
  private final AheadMemory memory;
  private final AtomicLong granted = new AtomicLong();
  private final Arena arena = Arena.ofShared();

  AheadArena(AheadMemory memory) {
    this.memory = memory;
  }

  /**
   * Allocates memory if it is granted.
   *
   * @param left bytes that must remain available to others
   * @return null if not enough memory is available now
   */
  @Nullable MemorySegment take(long bytes, long left) {
    if (!memory.take(bytes, left)) {
      return null;
    }
    granted.addAndGet(bytes);
    return allocate(bytes);
  }

  /** Allocates memory without asking for a grant. */
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
