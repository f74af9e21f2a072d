package io.kmodel.indexer.inversion;

import io.kmodel.indexer.gpu.GpuMemory;
import io.kmodel.indexer.gpu.GpuStream;
import io.kmodel.indexer.gpu.PinnedMemory;
import io.kmodel.indexer.memory.OffHeap;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Copies between usual memory and a device by way of two pinned buffers in turn: while one is
 * copied by the device, the thread fills or empties the other. To pin the blocks themselves and to
 * unpin them at the end takes longer, since most are used once. Memory: 32 MiB. Not thread-safe.
 */
final class Transfers implements AutoCloseable {
  private static final long BYTES = 16L << 20;

  private final PinnedMemory pinned;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment[] buffers = new MemorySegment[2];

  /** Waits until the stream has done everything. */
  @FunctionalInterface
  interface Waiter {
    void await();
  }

  Transfers(PinnedMemory pinned) {
    this.pinned = pinned;
    for (int i = 0; i < buffers.length; i++) {
      buffers[i] = OffHeap.allocateHugePages(BYTES, arena);
    }
  }

  private MemorySegment buffer(long number) {
    MemorySegment buffer = buffers[(int) (number & 1)];
    pinned.pin(buffer, BYTES);
    return buffer;
  }

  /** Copies to a place in device memory. The last copies may be in progress on return. */
  void upload(GpuStream stream, MemorySegment from, GpuMemory to, long place, Waiter waiter) {
    long bytes = from.byteSize();
    // Earlier copies may still use the buffers.
    waiter.await();
    for (long at = 0; at < bytes; at += BYTES) {
      long length = Math.min(BYTES, bytes - at);
      MemorySegment buffer = buffer(at / BYTES);
      // The device copies the other buffer meanwhile.
      OffHeap.copy(from.address() + at, buffer.address(), length);
      waiter.await();
      stream.upload(pinned, buffer, to, place + at, length);
    }
  }

  /** Copies from a place in device memory. */
  void download(GpuStream stream, GpuMemory from, long place, MemorySegment to, Waiter waiter) {
    long bytes = to.byteSize();
    long before = 0;
    for (long at = 0; at < bytes; at += BYTES) {
      stream.download(pinned, from, place + at, buffer(at / BYTES), Math.min(BYTES, bytes - at));
      if (at > 0) {
        empty(to, before);
      }
      waiter.await();
      before = at;
    }
    if (bytes > 0) {
      empty(to, before);
    }
  }

  /** Copies a buffer to where its bytes belong. */
  private void empty(MemorySegment to, long at) {
    long length = Math.min(BYTES, to.byteSize() - at);
    OffHeap.copy(buffers[(int) (at / BYTES & 1)].address(), to.address() + at, length);
  }

  /** Frees the buffers, which no device may use any more. */
  @Override
  public void close() {
    for (MemorySegment buffer : buffers) {
      pinned.unpin(buffer);
    }
    arena.close();
  }
}
