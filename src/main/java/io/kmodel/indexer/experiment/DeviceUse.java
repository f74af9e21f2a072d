package io.kmodel.indexer.experiment;

import io.kmodel.indexer.gpu.GpuDevice;
import io.kmodel.indexer.gpu.GpuException;
import io.kmodel.indexer.gpu.GpuKernel;
import io.kmodel.indexer.gpu.GpuMemory;
import io.kmodel.indexer.gpu.GpuStream;
import io.kmodel.indexer.gpu.PinnedMemory;
import io.kmodel.indexer.memory.OffHeap;
import io.kmodel.indexer.sort.device.DeviceLane;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A device used by one thread, with the resources allocated on it. Closing releases the resources
 * in a separate thread, with the same time limit as for an answer: a driver waits for its devices
 * before it frees memory, and does not return if one hangs. No more work is sent to a device that
 * has not answered. Its resources stay allocated, and so does host memory that it may still write
 * to.
 */
public final class DeviceUse implements AutoCloseable {
  /** How long a device may take for an empty job. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final GpuDevice device;
  private final Duration limit;
  private final Arena arena = Arena.ofShared();
  private final PinnedMemory pinned = new PinnedMemory();

  /** Release actions, in reverse order of allocation. */
  private final Deque<Runnable> releases = new ArrayDeque<>();

  private volatile boolean answers = true;

  /**
   * Takes over a device for use by the calling thread.
   *
   * @param limit time limit of every wait
   */
  public DeviceUse(GpuDevice device, Duration limit) {
    this.device = device;
    this.limit = limit;
    releases.push(device::close);
  }

  /**
   * Prepares a device of a race, for use by the calling thread.
   *
   * @param bytes that a sort works on
   */
  public static DeviceUse of(RaceDevice device, List<GpuKernel> kernels, long bytes) {
    return new DeviceUse(
        new GpuDevice(device.info(), device.image(), kernels), GpuStream.patience(PATIENCE, bytes));
  }

  public GpuMemory allocate(long bytes) {
    GpuMemory memory = device.allocate(bytes);
    releases.push(memory::close);
    return memory;
  }

  public GpuStream newStream() {
    GpuStream stream = device.newStream();
    releases.push(stream::close);
    return stream;
  }

  /**
   * Makes a lane whose waits do not sleep.
   *
   * @param stagingBytes pinned memory for tables, at least 8 bytes
   */
  public DeviceLane newLane(long stagingBytes) {
    GpuStream stream = newStream();
    return new DeviceLane(stream, pinned, allocatePinned(stagingBytes), () -> spin(stream));
  }

  /** The time between events before and after queued work, in nanoseconds. */
  long nanosOf(GpuStream stream, Runnable work) {
    stream.clearMarks();
    int start = stream.mark();
    work.run();
    int end = stream.mark();
    await(stream);
    return (long) (1e9 * stream.secondsBetween(start, end));
  }

  /** Allocates host memory that the device copies from and to. */
  public MemorySegment allocatePinned(long bytes) {
    MemorySegment memory = OffHeap.allocatePages(bytes, arena);
    releases.push(() -> pinned.unpin(memory));
    pinned.pin(memory, bytes);
    return memory;
  }

  public PinnedMemory pinned() {
    return pinned;
  }

  /** The device itself, which is in use until this is closed. */
  public GpuDevice device() {
    return device;
  }

  /**
   * Waits until all submitted work is done.
   *
   * @throws IllegalStateException if it took longer than the limit
   */
  public void await(GpuStream stream) {
    if (!stream.await(limit)) {
      throw lost("answered");
    }
  }

  /**
   * The same without sleep, for measurements by the host's clock.
   *
   * @throws IllegalStateException if it took longer than the limit
   */
  public void spin(GpuStream stream) {
    if (!stream.spin(limit)) {
      throw lost("answered");
    }
  }

  private IllegalStateException lost(String what) {
    answers = false;
    return new IllegalStateException(
        String.format(
            Locale.ROOT,
            "%s has not %s within %.1f s; it is not used any more",
            device.info(),
            what,
            limit.toMillis() / 1e3));
  }

  /** Releases everything after a failure, which keeps what else fails. */
  public void closeAfter(Throwable failure) {
    try {
      close();
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  /**
   * Releases everything.
   *
   * @throws IllegalStateException if it took longer than the limit
   * @throws GpuException if the driver reports an error
   */
  @Override
  public void close() {
    if (!answers) {
      return;
    }
    FutureTask<Boolean> release = new FutureTask<>(this::giveBack, true);
    Thread.ofPlatform().daemon().name("gpu-release").start(release);
    try {
      release.get(limit.toMillis(), TimeUnit.MILLISECONDS);
      arena.close();
    } catch (TimeoutException e) {
      throw lost("freed its memory");
    } catch (InterruptedException e) {
      // The system frees the device's resources when the process ends.
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof GpuException refusal) {
        throw refusal;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  private void giveBack() {
    device.use();
    GpuException failure = null;
    for (Runnable release : releases) {
      try {
        if (answers) {
          release.run();
        }
      } catch (GpuException e) {
        failure = failure == null ? e : failure;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
