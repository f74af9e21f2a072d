package io.kmodel.indexer.gpu;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import jcuda.driver.CUevent;
import jcuda.driver.CUstream;

/**
 * A queue of work for a device, done in order; several streams run in parallel. Calls return when
 * the work is queued, not when it is done. For one thread at a time, in which the device is
 * current.
 */
public final class GpuStream implements AutoCloseable {
  private static final int MOST_ARGUMENTS = 8;

  /** How long a wait spins before it sleeps between queries. */
  private static final long SPIN_NANOS = 20_000;

  private static final long SLEEP_NANOS = 50_000;

  /** A device that copies and works more slowly than this counts as one that hangs. */
  private static final long LEAST_BYTES_PER_SECOND = 100_000_000;

  private final GpuDevice device;
  private final CUstream stream;
  private final Arena arena = Arena.ofShared();
  private final List<CUevent> marks = new ArrayList<>();

  /** The addresses of the next launch's arguments, then the arguments themselves. */
  private final MemorySegment arguments;

  private int marked;

  GpuStream(GpuDevice device) {
    this.device = device;
    this.stream = Cuda.createStream();
    this.arguments = arena.allocate(ValueLayout.JAVA_LONG, 2L * MOST_ARGUMENTS);
    for (int i = 0; i < MOST_ARGUMENTS; i++) {
      arguments.setAtIndex(ValueLayout.JAVA_LONG, i, argument(i));
    }
  }

  /** How long to wait for work on so many bytes: what an empty job may take, plus 10 s per GB. */
  public static Duration patience(Duration least, long bytes) {
    return least.plusSeconds(bytes / LEAST_BYTES_PER_SECOND);
  }

  /** Copies pinned memory to the device, one copy for each pinned piece. */
  public void upload(PinnedMemory pinned, MemorySegment from, GpuMemory to, long bytes) {
    upload(pinned, from, to, 0, bytes);
  }

  /** The same to a place in device memory. */
  public void upload(PinnedMemory pinned, MemorySegment from, GpuMemory to, long at, long bytes) {
    upload(pinned, from, to.address() + at, bytes);
  }

  /** The same to an address in device memory. */
  public void upload(PinnedMemory pinned, MemorySegment from, long to, long bytes) {
    pinned.forEachPiece(
        from,
        bytes,
        (address, offset, length) -> Cuda.upload(address, to + offset, length, stream));
  }

  /** Sets bytes from an address in device memory on to zero. */
  public void clear(long address, long bytes) {
    Cuda.clear(address, bytes, stream);
  }

  /** Copies to pinned memory, one copy for each pinned piece. */
  public void download(PinnedMemory pinned, GpuMemory from, MemorySegment to, long bytes) {
    download(pinned, from, 0, to, bytes);
  }

  /** The same from a place in device memory. */
  public void download(PinnedMemory pinned, GpuMemory from, long at, MemorySegment to, long bytes) {
    download(pinned, from.address() + at, to, bytes);
  }

  /** The same from an address in device memory. */
  public void download(PinnedMemory pinned, long from, MemorySegment to, long bytes) {
    pinned.forEachPiece(
        to,
        bytes,
        (address, offset, length) -> Cuda.download(from + offset, address, length, stream));
  }

  /** Copies between two places of the device's memory that do not overlap. */
  public void copyWithin(long from, long to, long bytes) {
    Cuda.copyWithin(from, to, bytes, stream);
  }

  /** Copies from a peer's memory to this device, which has access to it. */
  public void copyFromPeer(GpuDevice peer, long from, long to, long bytes) {
    device.copyFromPeer(peer, from, to, bytes, stream);
  }

  /**
   * Launches a kernel.
   *
   * @param first the first argument, device memory
   * @param others integers; a parameter of 32 bits takes the lower half
   */
  public void launch(GpuKernel kernel, long blocks, GpuMemory first, long... others) {
    arguments.setAtIndex(ValueLayout.JAVA_LONG, MOST_ARGUMENTS, first.address());
    launchAt(kernel, blocks, argument(0), others);
  }

  /** The same with numbers and addresses of 8 bytes alone. */
  public void launch(GpuKernel kernel, long blocks, long... all) {
    arguments.setAtIndex(ValueLayout.JAVA_LONG, MOST_ARGUMENTS, all[0]);
    launchAt(kernel, blocks, argument(0), Arrays.copyOfRange(all, 1, all.length));
  }

  /** The same with a struct as the first argument. */
  public void launch(GpuKernel kernel, long blocks, GpuStruct first, long... others) {
    try {
      launchAt(kernel, blocks, first.address(), others);
    } finally {
      // A struct that was made for this launch alone must not be freed before.
      Reference.reachabilityFence(first);
    }
  }

  /** The same with a struct as the last argument, behind at least one other. */
  public void launchWithLast(GpuKernel kernel, long blocks, GpuStruct last, long... others) {
    int at = others.length;
    requireArguments(at + 1);
    arguments.setAtIndex(ValueLayout.JAVA_LONG, at, last.address());
    try {
      launch(kernel, blocks, others);
    } finally {
      arguments.setAtIndex(ValueLayout.JAVA_LONG, at, argument(at));
      Reference.reachabilityFence(last);
    }
  }

  private long argument(int number) {
    return arguments.address() + (long) Long.BYTES * (MOST_ARGUMENTS + number);
  }

  private static void requireArguments(int count) {
    if (count > MOST_ARGUMENTS) {
      throw new IllegalArgumentException("a kernel has at most " + MOST_ARGUMENTS + " arguments");
    }
  }

  private void launchAt(GpuKernel kernel, long blocks, long firstAddress, long... others) {
    requireArguments(others.length + 1);
    arguments.setAtIndex(ValueLayout.JAVA_LONG, 0, firstAddress);
    for (int i = 0; i < others.length; i++) {
      arguments.setAtIndex(ValueLayout.JAVA_LONG, MOST_ARGUMENTS + 1 + i, others[i]);
    }
    Cuda.launch(device.function(kernel), Math.toIntExact(blocks), kernel, arguments, stream);
  }

  /** Forgets all marks. */
  public void clearMarks() {
    marked = 0;
  }

  /** Sets a mark, which records when everything queued before it is done; returns its number. */
  public int mark() {
    if (marked == marks.size()) {
      marks.add(Cuda.createEvent());
    }
    Cuda.record(marks.get(marked), stream);
    return marked++;
  }

  /**
   * Makes all work queued from now on wait for a mark of another stream. Does nothing if that mark
   * has not been set.
   */
  public void waitFor(GpuStream other, int mark) {
    if (mark < other.marked) {
      Cuda.waitFor(stream, other.marks.get(mark));
    }
  }

  /** Seconds between two marks that have been passed. Marks are numbered from 0. */
  public double secondsBetween(int from, int to) {
    return Cuda.millis(marks.get(from), marks.get(to)) / 1e3;
  }

  /**
   * Waits until everything queued is done.
   *
   * @param limit in {@link SeenTime}
   * @return false if it was not done within the limit
   * @throws GpuException if something queued has failed
   */
  public boolean await(Duration limit) {
    return await(limit, SPIN_NANOS);
  }

  /**
   * The same without sleep between queries, for measurements: a sleep may end 0.1 ms late.
   *
   * @param limit in {@link SeenTime}
   */
  public boolean spin(Duration limit) {
    return await(limit, Long.MAX_VALUE);
  }

  private boolean await(Duration limit, long spinNanos) {
    SeenTime time = new SeenTime();
    while (!Cuda.hasEnded(stream)) {
      long waited = time.look();
      if (waited > limit.toNanos()) {
        // The work may have ended since the last query, for instance while this thread slept.
        return Cuda.hasEnded(stream);
      }
      if (waited < spinNanos) {
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
