package io.kmodel.indexer.source.unpack;

import io.kmodel.indexer.source.DecoderGuard;
import io.kmodel.indexer.source.DecoderGuard.Memory;
import io.kmodel.indexer.source.DecoderMemoryException;
import java.io.IOException;
import org.tukaani.xz.MemoryLimitException;
import org.tukaani.xz.XZInputStream;

/**
 * Decodes xz with any number of streams, with as large a dictionary as they declare, if the memory
 * is granted. Every block declares its dictionary. If one needs more than those before, decoding
 * restarts with that much, and skips to the same offset.
 *
 * <p>Failure: {@link DecoderMemoryException}, or the decoder's. Memory: on the heap, what it
 * reserves. Not thread-safe. Closing releases that, and does not close the input.
 */
final class XzInput extends BlockInput {
  private final InputBytes in;
  private final long start;
  private final DecoderMemory memory;
  private XZInputStream xz;
  private long output;

  /** Decodes a file from the input's current position. */
  XzInput(InputBytes in, DecoderGuard guard) throws IOException {
    this.in = in;
    this.start = in.position();
    this.memory = new DecoderMemory(guard, Memory.HEAP);
    // With this limit, the decoder reports what the first block needs instead of taking it.
    this.xz = new XZInputStream(in, 0);
  }

  @Override
  public int read(byte[] to, int offset, int length) throws IOException {
    while (true) {
      try {
        int n = xz.read(to, offset, length);
        output += Math.max(0, n);
        return n;
      } catch (MemoryLimitException e) {
        memory.reserve((long) e.getMemoryNeeded() << 10);
        in.seek(start);
        xz = new XZInputStream(in, e.getMemoryNeeded());
        xz.skipNBytes(output);
      }
    }
  }

  @Override
  public void close() throws IOException {
    try {
      xz.close(false);
    } finally {
      memory.close();
    }
  }
}
