package io.kmodel.indexer.source.unpack;

import io.kmodel.indexer.source.DecoderGuard;
import io.kmodel.indexer.source.DecoderGuard.Memory;
import io.kmodel.indexer.source.DecoderMemoryException;
import java.io.IOException;

/** The memory that one decoder has reserved; closing releases it. Not thread-safe. */
public final class DecoderMemory implements AutoCloseable {
  private final DecoderGuard guard;
  private final Memory memory;
  private long bytes;

  public DecoderMemory(DecoderGuard guard, Memory memory) {
    this.guard = guard;
    this.memory = memory;
  }

  /**
   * Waits until the decoder may hold this many bytes in total.
   *
   * @throws DecoderMemoryException if it never may
   */
  public void reserve(long wanted) throws IOException {
    if (wanted <= bytes) {
      return;
    }
    try {
      // Guards that keep no account see only the difference.
      long most = guard.largestBytes(memory);
      if (wanted > most || !guard.reserve(memory, wanted - bytes)) {
        long others = Math.max(0, guard.reservedBytes(memory) - bytes);
        throw new DecoderMemoryException(wanted, others, most);
      }
    } catch (InterruptedException e) {
      throw InputBytes.interrupted();
    }
    bytes = wanted;
  }

  /** Bytes that the decoder holds. */
  long bytes() {
    return bytes;
  }

  /** Releases all but this many bytes. */
  public void keep(long wanted) {
    guard.release(memory, bytes - wanted);
    bytes = wanted;
  }

  @Override
  public void close() {
    keep(0);
  }
}
