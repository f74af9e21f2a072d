package io.kmodel.indexer.gpu;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import jcuda.driver.CUevent;
import jcuda.driver.CUstream;

/**
 * What a device is to do, in order; several streams work side by side. Calls return when the work
 * is listed, not when it is done. One thread at a time, which uses the device.
 */
public final class GpuStream implements AutoCloseable {
  private static final int MOST_ARGUMENTS = 8;

  /** How long a wait looks again and again before it begins to sleep in between. */
  private static final long SPIN_NANOS = 20_000;

  private static final long SLEEP_NANOS = 50_000;

  private final GpuDevice device;
  private final CUstream stream;
  private final Arena arena = Arena.ofShared();
  private final List<CUevent> marks = new ArrayList<>();

  /** The arguments of the next launch, and before them the address of each. */
  private final MemorySegment arguments;

  private int marked;

  GpuStream(GpuDevice device) {
    this.device = device;
    this.stream = Cuda.createStream();
    this.arguments = arena.allocate(ValueLayout.JAVA_LONG, 2L * MOST_ARGUMENTS);
    for (int i = 0; i < MOST_ARGUMENTS; i++) {
      long address = arguments.address() + (long) Long.BYTES * (MOST_ARGUMENTS + i);
      arguments.setAtIndex(ValueLayout.JAVA_LONG, i, address);
    }
  }

  /** Copies pinned memory to the device, piece by piece as it is pinned. */
  public void upload(PinnedMemory pinned, MemorySegment from, GpuMemory to, long bytes) {
    pinned.forEachPiece(
        from,
        bytes,
        (address, offset, length) -> Cuda.upload(address, to.address() + offset, length, stream));
  }

  /** Copies to pinned memory, piece by piece as it is pinned. */
  public void download(PinnedMemory pinned, GpuMemory from, MemorySegment to, long bytes) {
    pinned.forEachPiece(
        to,
        bytes,
        (address, offset, length) ->
            Cuda.download(from.address() + offset, address, length, stream));
  }

  /**
   * Launches a kernel.
   *
   * @param first the first argument, memory
   * @param others the others, integers; those of 32 bits take their lower half
   */
  public void launch(GpuKernel kernel, long blocks, GpuMemory first, long... others) {
    if (others.length >= MOST_ARGUMENTS) {
      throw new IllegalArgumentException("a kernel has at most " + MOST_ARGUMENTS + " arguments");
    }
    arguments.setAtIndex(ValueLayout.JAVA_LONG, MOST_ARGUMENTS, first.address());
    for (int i = 0; i < others.length; i++) {
      arguments.setAtIndex(ValueLayout.JAVA_LONG, MOST_ARGUMENTS + 1 + i, others[i]);
    }
    Cuda.launch(device.function(kernel), Math.toIntExact(blocks), kernel, arguments, stream);
  }

  /** Forgets the marks that there are. */
  public void clearMarks() {
    marked = 0;
  }

  /** Sets a mark, which tells when everything before it was done. */
  public void mark() {
    if (marked == marks.size()) {
      marks.add(Cuda.createEvent());
    }
    Cuda.record(marks.get(marked), stream);
    marked++;
  }

  /**
   * What is listed from now on waits for a mark of another stream; if that has not been set yet,
   * for nothing.
   */
  public void waitFor(GpuStream other, int mark) {
    if (mark < other.marked) {
      Cuda.waitFor(stream, other.marks.get(mark));
    }
  }

  /** Seconds from one mark to another, both in the past; counted from 0. */
  public double secondsBetween(int from, int to) {
    return Cuda.millis(marks.get(from), marks.get(to)) / 1e3;
  }

  /**
   * Waits until everything listed is done.
   *
   * @param limit of the {@link SeenTime}
   * @return false if it was not within the limit
   * @throws GpuException if something listed has failed
   */
  public boolean await(Duration limit) {
    SeenTime time = new SeenTime();
    while (!Cuda.hasEnded(stream)) {
      long waited = time.look();
      if (waited > limit.toNanos()) {
        // What was true before the look at the clock need not be true any more.
        return Cuda.hasEnded(stream);
      }
      if (waited < SPIN_NANOS) {
        Thread.onSpinWait();
      } else {
        LockSupport.parkNanos(SLEEP_NANOS);
      }
    }
    return true;
  }

  @Override
  public void close() {
    try {
      for (CUevent mark : marks) {
        Cuda.destroy(mark);
      }
      Cuda.destroy(stream);
    } finally {
      arena.close();
    }
  }
}
