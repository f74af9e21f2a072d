package io.kmodel.indexer.sort;

import io.kmodel.indexer.gpu.GpuDevice;
import io.kmodel.indexer.gpu.GpuException;
import io.kmodel.indexer.gpu.GpuInfo;
import io.kmodel.indexer.gpu.GpuMemory;
import io.kmodel.indexer.gpu.GpuStream;
import io.kmodel.indexer.gpu.PinnedMemory;
import io.kmodel.indexer.gpu.SeenTime;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * One device with four lanes, each with its own stream, device memory and thread: while one run is
 * sorted, another is uploaded, a third is downloaded, and a fourth is ready when one of them is
 * done. At most two runs are uploaded and one is downloaded at a time. Without that limit all lanes
 * upload together while the download path is idle, and one upload alone does not fill its path.
 *
 * <p>Jobs wait in one queue. A device that hangs, or fails three jobs in a row, gets no more jobs;
 * running out of memory does not count as a failure. Safe for many threads.
 */
final class SortDevice implements AutoCloseable {
  /** How a job ended. */
  enum Fate {
    /** The sorted keys are in the job's scratch. */
    SORTED,
    /** The keys are unchanged, and nothing writes to the scratch. */
    FAILED,
    /** The keys are unchanged; the device may still write to the scratch. */
    LOST
  }

  /**
   * The end of a job.
   *
   * @param reason why the keys were not sorted
   */
  record Outcome(Fate fate, String reason) {}

  static final int LANES = 4;

  private static final int UPLOAD = 0;
  private static final int SORT = 1;
  private static final int DOWNLOAD = 2;

  private static final int MOST_FAILURES = 3;
  private static final int KEY_BYTES = 8;

  private record Request(KeyOrder.Job job, CompletableFuture<Outcome> outcome) {}

  private final GpuDevice device;
  private final KernelShape shape;
  private final PinnedMemory pinned;
  private final Duration patience;
  private final long laneBytes;
  private final BlockingQueue<Request> queue = new LinkedBlockingQueue<>();
  private final ExecutorService threads;
  private final CountDownLatch closing = new CountDownLatch(1);

  /** Held while a job's steps are queued, so that all streams see the jobs in one order. */
  private final Object order = new Object();

  /** The streams of the job queued last and of the one before. */
  private @Nullable GpuStream last;

  private @Nullable GpuStream lastButOne;

  private final AtomicInteger failures = new AtomicInteger();
  private volatile String givenUp = "";
  private volatile boolean lost;
  private volatile boolean dead;
  private volatile DeviceListener listener = DeviceListener.NONE;

  /** Time since a job ended, or since one was added to an empty queue. */
  private final SeenTime idle = new SeenTime();

  private final LongAdder runs = new LongAdder();
  private final LongAdder keys = new LongAdder();
  private final LongAdder uploadNanos = new LongAdder();
  private final LongAdder sortNanos = new LongAdder();
  private final LongAdder downloadNanos = new LongAdder();

  /**
   * Starts the lanes.
   *
   * @param patience how long the device may take for a job, plus 10 s per GB
   * @throws GpuException if the driver fails, or if the lanes would have too little memory
   */
  SortDevice(
      GpuInfo info, byte[] image, KernelShape shape, PinnedMemory pinned, Duration patience) {
    this.device = new GpuDevice(info, image, shape.kernels());
    this.shape = shape;
    this.pinned = pinned;
    this.patience = patience;
    try {
      this.laneBytes = device.freeBytes(2 * LANES * shape.leastLaneBytes()) / 2 / LANES;
    } catch (GpuException e) {
      device.close();
      throw e;
    }
    AtomicInteger lane = new AtomicInteger();
    this.threads =
        Executors.newFixedThreadPool(
            LANES,
            task -> {
              Thread thread =
                  new Thread(task, "gpu-%d.%d".formatted(info.ordinal(), lane.incrementAndGet()));
              thread.setDaemon(true);
              return thread;
            });
    for (int i = 0; i < LANES; i++) {
      threads.execute(this::work);
    }
  }

  /** Most keys of a job. */
  long largestJob() {
    return laneBytes / KEY_BYTES;
  }

  boolean isGivenUp() {
    return !givenUp.isEmpty();
  }

  /** Makes this device current in the calling thread. */
  void use() {
    device.use();
  }

  /** Queues a job. Treat an exceptional outcome as {@link Fate#LOST}. */
  CompletableFuture<Outcome> submit(KeyOrder.Job job) {
    CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    if (job.count() == 0) {
      runs.increment();
      outcome.complete(new Outcome(Fate.SORTED, ""));
    } else if (job.count() > largestJob()) {
      outcome.complete(new Outcome(Fate.FAILED, "larger than a lane of " + device.info()));
    } else {
      if (queue.isEmpty()) {
        idle.restart();
      }
      queue.add(new Request(job, outcome));
    }
    return outcome;
  }

  /** How long a device may show no progress while it has such a job. */
  private Duration patience(KeyOrder.Job job) {
    return GpuStream.patience(patience, job.count() * KEY_BYTES);
  }

  /** Whether no job has ended for longer than a device may take for such a job. */
  boolean isStalled(KeyOrder.Job job) {
    return idle.look() > 2 * patience(job).toNanos();
  }

  /** Whether the device hangs. It may still execute earlier commands. */
  boolean isLost() {
    return lost;
  }

  /** Whether its context still works, so that memory can be released even if it was given up. */
  boolean takesBack() {
    return !lost && !dead;
  }

  /** Gives up a device that hangs. */
  void lose(String why) {
    lost = true;
    giveUp(why);
  }

  private void giveUp(String why) {
    givenUp = device.info() + " was given up: " + why;
  }

  private void work() {
    try (Lane lane = new Lane()) {
      while (closing.getCount() > 0) {
        Request request = queue.poll(10, TimeUnit.MILLISECONDS);
        if (request != null) {
          serve(lane, request);
          idle.restart();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (GpuException e) {
      // A device that failed earlier may refuse to release its memory at the end.
      giveUp(e.getMessage());
    }
  }

  private void serve(Lane lane, Request request) {
    try {
      request.outcome().complete(sort(lane, request.job()));
    } catch (Throwable e) {
      // For example an OutOfMemoryError: the device may already have been given work.
      request.outcome().completeExceptionally(e);
    }
  }

  private Outcome sort(Lane lane, KeyOrder.Job job) {
    if (isGivenUp()) {
      return new Outcome(Fate.FAILED, givenUp);
    }
    try {
      if (!lane.sort(job)) {
        lose("no response in %d s".formatted(patience(job).toSeconds()));
        return new Outcome(Fate.LOST, givenUp);
      }
      failures.set(0);
      return new Outcome(Fate.SORTED, "");
    } catch (RuntimeException e) {
      return failed(lane, job, e);
    }
  }

  private Outcome failed(Lane lane, KeyOrder.Job job, RuntimeException failure) {
    String what = failure.toString();
    boolean counts = true;
    if (failure instanceof GpuException gpu) {
      what = gpu.call() + " failed with code " + gpu.code();
      counts = !gpu.isOutOfMemory();
    }
    if (counts && failures.incrementAndGet() >= MOST_FAILURES) {
      giveUp("three jobs in a row failed, the last one because " + what);
    }
    if (!lane.isQuiet(patience(job))) {
      lose("no response after " + what);
      return new Outcome(Fate.LOST, givenUp);
    }
    return new Outcome(Fate.FAILED, what);
  }

  void observe(DeviceListener observer) {
    listener = observer;
  }

  SortReport.Device report() {
    return new SortReport.Device(
        device.info().toString(),
        runs.sum(),
        keys.sum(),
        uploadNanos.sum() / 1e9,
        sortNanos.sum() / 1e9,
        downloadNanos.sum() / 1e9);
  }

  /** Waits a limited time for the lanes to end. */
  @Override
  public void close() {
    closing.countDown();
    threads.shutdown();
    try {
      boolean ended = threads.awaitTermination(patience.toSeconds() + 1, TimeUnit.SECONDS);
      // A call to a lost device might never return.
      if (ended && !lost) {
        device.close();
      }
    } catch (InterruptedException e) {
      // The device's memory is released when the process ends.
      Thread.currentThread().interrupt();
    } catch (GpuException e) {
      giveUp(e.getMessage());
    }
  }

  /** The resources for one job at a time, created by the first job. */
  private final class Lane implements AutoCloseable {
    private @Nullable GpuStream stream;
    private @Nullable GpuMemory memory;

    /** Returns whether the device finished in time. */
    boolean sort(KeyOrder.Job job) {
      device.use();
      long bytes = KEY_BYTES * job.count();
      GpuStream own = stream == null ? device.newStream() : stream;
      stream = own;
      GpuMemory onDevice = memory(bytes, job.keys().byteSize());
      pinned.pin(job.keys(), bytes);
      pinned.pin(job.scratch(), bytes);
      list(own, onDevice, job);
      if (!own.await(patience(job))) {
        return false;
      }
      long upload = nanos(own, UPLOAD);
      long sort = nanos(own, SORT);
      long held = (long) (1e9 * own.secondsBetween(2 * SORT + 1, 2 * DOWNLOAD));
      long download = nanos(own, DOWNLOAD);
      runs.increment();
      keys.add(job.count());
      uploadNanos.add(upload);
      sortNanos.add(sort);
      downloadNanos.add(download);
      listener.sorted(upload, sort, held, download, System.nanoTime());
      return true;
    }

    /** Queues the three steps. Copies wait for those of earlier jobs. */
    private void list(GpuStream own, GpuMemory onDevice, KeyOrder.Job job) {
      long bytes = KEY_BYTES * job.count();
      synchronized (order) {
        waitForEnd(UPLOAD, lastButOne, own);
        own.clearMarks();
        own.mark();
        own.upload(pinned, job.keys(), onDevice, bytes);
        own.mark();
        own.mark();
        shape.sort(own, onDevice, job.count());
        own.mark();
        waitForEnd(DOWNLOAD, last, own);
        own.mark();
        own.download(pinned, onDevice, job.scratch(), bytes);
        own.mark();
        lastButOne = last;
        last = own;
      }
    }

    private static void waitForEnd(int step, @Nullable GpuStream other, GpuStream own) {
      if (other != null) {
        own.waitFor(other, 2 * step + 1);
      }
    }

    private static long nanos(GpuStream stream, int step) {
      return (long) (1e9 * stream.secondsBetween(2 * step, 2 * step + 1));
    }

    /**
     * Device memory for at least so many bytes. If the device has enough, it is as large as the
     * job's buffer: to free it and allocate more for a later job would block the other lanes.
     */
    private GpuMemory memory(long bytes, long capacity) {
      GpuMemory present = memory;
      if (present != null && present.bytes() >= bytes) {
        return present;
      }
      if (present != null) {
        memory = null;
        present.close();
      }
      GpuMemory larger = device.allocate(bytes, Math.clamp(capacity, bytes, laneBytes));
      memory = larger;
      return larger;
    }

    /** Whether the device no longer uses the last job's memory; waits until the limit for it. */
    boolean isQuiet(Duration limit) {
      try {
        return stream == null || stream.await(limit);
      } catch (GpuException e) {
        // The context is dead, so no copy is in progress.
        dead = true;
        return true;
      }
    }

    @Override
    public void close() {
      synchronized (order) {
        last = last == stream ? null : last;
        lastButOne = lastButOne == stream ? null : lastButOne;
      }
      if (lost) {
        return;
      }
      device.use();
      if (memory != null) {
        memory.close();
      }
      if (stream != null) {
        stream.close();
      }
    }
  }
}
