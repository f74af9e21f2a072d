package io.kmodel.indexer.source;

import io.kmodel.indexer.source.DecoderGuard.Memory;
import java.io.IOException;

/** What one decoder has reserved, which closing gives back. Not thread-safe. */
final class DecoderMemory implements AutoCloseable {
  private static final long MEBIBYTE = 1 << 20;

  private final DecoderGuard guard;
  private final Memory memory;
  private long bytes;

  DecoderMemory(DecoderGuard guard, Memory memory) {
    this.guard = guard;
    this.memory = memory;
  }

  /**
   * Waits until the decoder may have so many bytes in all.
   *
   * @throws DecoderMemoryException if it may never
   */
  void reserve(long wanted) throws IOException {
    if (wanted <= bytes) {
      return;
    }
    try {
      // Guards that keep no account know of this part alone.
      long most = guard.largestBytes(memory);
      if (wanted > most || !guard.reserve(memory, wanted - bytes)) {
        throw new DecoderMemoryException(wanted, most);
      }
    } catch (InterruptedException e) {
      throw InputBytes.interrupted();
    }
    bytes = wanted;
  }

  /** How many it has. */
  long bytes() {
    return bytes;
  }

  /** Gives back all but so many. */
  void keep(long wanted) {
    guard.release(memory, bytes - wanted);
    bytes = wanted;
  }

  @Override
  public void close() {
    keep(0);
  }
}
