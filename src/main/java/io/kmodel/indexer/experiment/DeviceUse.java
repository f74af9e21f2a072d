package io.kmodel.indexer.experiment;

import io.kmodel.indexer.gpu.GpuDevice;
import io.kmodel.indexer.gpu.GpuException;
import io.kmodel.indexer.gpu.GpuMemory;
import io.kmodel.indexer.gpu.GpuStream;
import io.kmodel.indexer.gpu.PinnedMemory;
import io.kmodel.indexer.memory.OffHeap;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A device that one thread has for itself, with what it takes of it. Closing gives all of that back
 * in a thread of its own, and waits for it as long as for an answer: a driver waits for its devices
 * before it gives memory back, and where one has stopped to answer, it does not return. Nothing is
 * sent any more to a device that has not answered; what it has stays, and so does our memory, which
 * it may still write to.
 */
final class DeviceUse implements AutoCloseable {
  private final GpuDevice device;
  private final Duration limit;
  private final Arena arena = Arena.ofShared();
  private final PinnedMemory pinned = new PinnedMemory();

  /** The last first. */
  private final Deque<Runnable> releases = new ArrayDeque<>();

  private volatile boolean answers = true;

  /**
   * Takes a device over; the calling thread uses it.
   *
   * @param limit of every wait
   */
  DeviceUse(GpuDevice device, Duration limit) {
    this.device = device;
    this.limit = limit;
    releases.push(device::close);
  }

  GpuMemory allocate(long bytes) {
    GpuMemory memory = device.allocate(bytes);
    releases.push(memory::close);
    return memory;
  }

  GpuStream newStream() {
    GpuStream stream = device.newStream();
    releases.push(stream::close);
    return stream;
  }

  /** Memory of ours that the device copies from and to. */
  MemorySegment allocatePinned(long bytes) {
    MemorySegment memory = OffHeap.allocatePages(bytes, arena);
    releases.push(() -> pinned.unpin(memory));
    pinned.pin(memory, bytes);
    return memory;
  }

  PinnedMemory pinned() {
    return pinned;
  }

  /**
   * Waits until everything listed is done.
   *
   * @throws IllegalStateException if it was not within the limit
   */
  void await(GpuStream stream) {
    if (!stream.await(limit)) {
      throw lost("answered");
    }
  }

  private IllegalStateException lost(String what) {
    answers = false;
    return new IllegalStateException(
        String.format(
            Locale.ROOT,
            "%s has not %s in %.1f s; nothing more is sent to it",
            device.info(),
            what,
            limit.toMillis() / 1e3));
  }

  /**
   * Gives everything back.
   *
   * @throws IllegalStateException if that has taken too long
   * @throws GpuException if the driver refuses
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
      throw lost("given back its memory");
    } catch (InterruptedException e) {
      // What the device has is given back when the process ends.
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
