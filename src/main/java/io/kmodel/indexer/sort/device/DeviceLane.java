package io.kmodel.indexer.sort.device;

import io.kmodel.indexer.gpu.GpuKernel;
import io.kmodel.indexer.gpu.GpuStream;
import io.kmodel.indexer.gpu.GpuStruct;
import io.kmodel.indexer.gpu.PinnedMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A stream, and pinned memory through which small tables go to the device and come back. For one
 * thread at a time, in which the device is current.
 */
public final class DeviceLane {
  private final GpuStream stream;
  private final PinnedMemory pinned;
  private final MemorySegment staging;
  private final Runnable await;

  /** Bytes of the staging memory that queued uploads still read. */
  private long staged;

  /**
   * Creates a lane.
   *
   * @param staging pinned memory of at least 8 bytes
   * @param await waits until the stream's work is done, with a limit
   */
  public DeviceLane(GpuStream stream, PinnedMemory pinned, MemorySegment staging, Runnable await) {
    this.stream = stream;
    this.pinned = pinned;
    this.staging = staging;
    this.await = await;
  }

  public GpuStream stream() {
    return stream;
  }

  PinnedMemory pinned() {
    return pinned;
  }

  /** Queues a kernel, unless it has no blocks. All arguments are numbers and addresses. */
  public void launch(GpuKernel kernel, long blocks, long... arguments) {
    if (blocks > 0) {
      stream.launch(kernel, blocks, arguments);
    }
  }

  /** The same with a struct as the first argument. */
  public void launch(GpuKernel kernel, long blocks, GpuStruct first, long... others) {
    if (blocks > 0) {
      stream.launch(kernel, blocks, first, others);
    }
  }

  /** The same with a struct as the last argument. */
  void launchWithLast(GpuKernel kernel, long blocks, GpuStruct last, long... others) {
    if (blocks > 0) {
      stream.launchWithLast(kernel, blocks, last, others);
    }
  }

  public void clear(long address, long bytes) {
    stream.clear(address, bytes);
  }

  public void await() {
    await.run();
    staged = 0;
  }

  /** Queues a copy of words to the device; the array may be changed then. */
  public void put(long address, long[] words, int count) {
    for (int from = 0; from < count; ) {
      if (staged + Long.BYTES > staging.byteSize()) {
        await();
      }
      int length = (int) Math.min(count - from, (staging.byteSize() - staged) / Long.BYTES);
      MemorySegment piece = staging.asSlice(staged, (long) Long.BYTES * length);
      MemorySegment.copy(words, from, piece, ValueLayout.JAVA_LONG, 0, length);
      stream.upload(pinned, piece, address + (long) Long.BYTES * from, piece.byteSize());
      staged += piece.byteSize();
      from += length;
    }
  }

  /** Waits for everything queued, then returns words from the device. */
  public long[] get(long address, int count) {
    long[] words = new long[count];
    for (int from = 0; from < count; ) {
      int length = (int) Math.min(count - from, staging.byteSize() / Long.BYTES);
      MemorySegment piece = staging.asSlice(0, (long) Long.BYTES * length);
      stream.download(pinned, address + (long) Long.BYTES * from, piece, piece.byteSize());
      await();
      MemorySegment.copy(piece, ValueLayout.JAVA_LONG, 0, words, from, length);
      from += length;
    }
    return words;
  }
}
