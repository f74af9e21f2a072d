package io.kmodel.indexer.sort;

import io.kmodel.indexer.gpu.GpuException;
import io.kmodel.indexer.gpu.GpuInfo;
import io.kmodel.indexer.gpu.PinnedMemory;
import io.kmodel.indexer.gpu.SeenTime;
import io.kmodel.indexer.memory.OffHeap;
import io.kmodel.indexer.sort.SortDevice.Fate;
import io.kmodel.indexer.sort.SortDevice.Outcome;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Sorts on devices, one job each in turn, by the K-model's bitonic network (Capannini, Silvestri,
 * Baraglia, §5 and §7). A job's keys stay as they are until the sorted ones lie beside them and
 * have been checked for order and for their sum; where anything goes wrong, the CPU sorts them in
 * the waiting thread, or leaves them if it may, and the report counts it with the reason. Every
 * wait has a limit: where a device has stopped to answer, pinned memory stays, since the driver
 * would wait to give it back.
 *
 * <p>Memory: what jobs bring, pinned as it is used; on each device as much as its four lanes'
 * largest jobs, at most half of what was free.
 */
public final class GpuSortStage implements SortStage {
  /** How long a device may take for a job of no size. */
  static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final long LOOK_MILLIS = 50;

  /** Has the jobs of which a device has made nothing. */
  private final CpuSortStage cpu;

  private final Duration patience;
  private final PinnedMemory pinned = new PinnedMemory();
  private final List<SortDevice> devices = new ArrayList<>();
  private final AtomicInteger turn = new AtomicInteger();
  private final LongAdder checkNanos = new LongAdder();

  /** Why the CPU has sorted, and how often. */
  private final Map<String, Long> reasons = new TreeMap<>();

  /** Memory that a lost device may still write to. */
  private final List<MemorySegment> lost = new ArrayList<>();

  /** Whether memory was not unpinned in time. */
  private volatile boolean isDriverLost;

  /**
   * Prepares the devices; those that cannot be prepared, or have too little memory free for runs
   * that occupy them, are left out, if there are others, and stand among the report's reasons.
   *
   * @throws GpuException if none can be prepared
   */
  public GpuSortStage(List<GpuInfo> infos, byte[] image, KernelShape shape, KeyOrder cpu) {
    this(infos, image, shape, cpu, PATIENCE);
  }

  GpuSortStage(
      List<GpuInfo> infos, byte[] image, KernelShape shape, KeyOrder cpu, Duration patience) {
    this.cpu = new CpuSortStage(cpu);
    this.patience = patience;
    GpuException failure = null;
    for (GpuInfo info : infos) {
      try {
        devices.add(new SortDevice(info, image, shape, pinned, patience));
      } catch (GpuException e) {
        failure = e;
        reasons.put(info + " cannot be used: " + e.getMessage(), 0L);
      }
    }
    if (devices.isEmpty() && failure != null) {
      throw failure;
    }
  }

  @Override
  public Ticket submit(Job job) {
    for (int i = 0; i < devices.size() && answers(); i++) {
      int next = Math.floorMod(turn.getAndIncrement(), devices.size());
      SortDevice device = devices.get(next);
      if (!device.isGivenUp()) {
        return new GpuTicket(job, device, device.submit(job));
      }
    }
    return byCpu(job, answers() ? "every device was given up" : "a device does not answer");
  }

  private Ticket byCpu(Job job, String reason) {
    synchronized (reasons) {
      reasons.merge(reason, 1L, Long::sum);
    }
    return cpu.submit(job);
  }

  /** Also where none does any more, but what threads have for it could not be given back. */
  @Override
  public boolean isAside() {
    return !answers()
        || devices.stream().noneMatch(SortDevice::takesBack)
        || !devices.stream().allMatch(SortDevice::isGivenUp);
  }

  @Override
  public long largestJob() {
    return devices.stream()
        .filter(device -> !device.isGivenUp())
        .mapToLong(SortDevice::largestJob)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  @Override
  public boolean release(MemorySegment memory) {
    synchronized (lost) {
      for (MemorySegment part : lost) {
        long offset = part.address() - memory.address();
        if (offset >= 0 && offset < memory.byteSize()) {
          return false;
        }
      }
    }
    return !pinned.holds(memory) || (answers() && unpin(memory));
  }

  /** Whether the driver answers: it waits for whatever any device does. */
  private boolean answers() {
    return !isDriverLost && devices.stream().noneMatch(SortDevice::isLost);
  }

  /**
   * Unpins memory, in a thread that may never come back: a device can stop to answer meanwhile.
   *
   * @return whether it was done; false at the latest when a device had twice as long as for jobs of
   *     so much memory
   */
  private boolean unpin(MemorySegment memory) {
    FutureTask<Boolean> unpinning = new FutureTask<>(() -> unpinNow(memory), true);
    Thread.ofPlatform().daemon().name("gpu-release").start(unpinning);
    long limit = 2 * SortDevice.patience(patience, memory.byteSize()).toNanos();
    SeenTime waited = new SeenTime();
    boolean interrupted = false;
    try {
      while (answers()) {
        try {
          return unpinning.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
          if (waited.look() > limit) {
            isDriverLost = true;
          }
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException e) {
          if (e.getCause() instanceof GpuException) {
            return false;
          }
          throw new IllegalStateException(e.getCause());
        }
      }
      return false;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void unpinNow(MemorySegment memory) {
    devices.stream()
        .filter(SortDevice::takesBack)
        .min(Comparator.comparing(SortDevice::isGivenUp))
        .ifPresent(SortDevice::use);
    pinned.unpin(memory);
  }

  @Override
  public void observe(DeviceListener listener) {
    devices.forEach(device -> device.observe(listener));
  }

  @Override
  public SortReport report() {
    synchronized (reasons) {
      long runs = reasons.values().stream().mapToLong(Long::longValue).sum();
      return new SortReport(
          devices.stream().map(SortDevice::report).toList(),
          runs,
          new TreeMap<>(reasons),
          checkNanos.sum() / 1e9);
    }
  }

  @Override
  public void close() {
    devices.forEach(SortDevice::close);
  }

  /** A job with a device. */
  private final class GpuTicket implements Ticket {
    private final Job job;
    private final SortDevice device;
    private final CompletableFuture<Outcome> outcome;
    private @Nullable Outcome known;

    GpuTicket(Job job, SortDevice device, CompletableFuture<Outcome> outcome) {
      this.job = job;
      this.device = device;
      this.outcome = outcome;
    }

    @Override
    public OrderedKeys await() throws InterruptedException {
      Outcome end = ended();
      if (end.fate() == Fate.SORTED) {
        long start = System.nanoTime();
        boolean isSorted = KeyCheck.isSorted(job.keys(), job.scratch(), job.count());
        checkNanos.add(System.nanoTime() - start);
        if (isSorted) {
          return new SortedKeys(
              /* keys= */ job.scratch(), /* scratch= */ job.keys(), /* byDevice= */ true);
        }
        end = new Outcome(Fate.FAILED, "the device gave back other keys, or no order");
      }
      MemorySegment scratch =
          end.fate() == Fate.LOST
              ? OffHeap.allocatePages(job.scratch().byteSize(), Arena.global())
              : job.scratch();
      return byCpu(job.withScratch(scratch), end.reason()).await();
    }

    /** The outcome, which comes at the latest when the device has shown no life for too long. */
    private Outcome ended() throws InterruptedException {
      Outcome end = known;
      while (end == null) {
        try {
          end = outcome.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
          if (device.isStalled(job) && !outcome.isDone()) {
            device.lose("it has stopped to answer");
            end = new Outcome(Fate.LOST, "a device has stopped to answer");
          }
        } catch (ExecutionException e) {
          end = new Outcome(Fate.LOST, "a lane has failed: " + e.getCause());
          device.lose(end.reason());
        }
      }
      if (known == null && end.fate() == Fate.LOST) {
        synchronized (lost) {
          lost.add(job.scratch());
        }
      }
      known = end;
      return end;
    }

    @Override
    public void settle() {
      boolean interrupted = false;
      while (known == null) {
        try {
          ended();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
