package io.kmodel.indexer.sort;

import io.kmodel.indexer.gpu.GpuException;
import io.kmodel.indexer.gpu.GpuInfo;
import io.kmodel.indexer.gpu.GpuStream;
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
 * Sorts on devices, which take jobs in turn, by the K-model's bitonic network (Capannini,
 * Silvestri, Baraglia, §5 and §7). The sorted keys come back into the job's scratch and are checked
 * for order and sum; until then the job's own keys stay unchanged. If anything fails, the waiting
 * thread orders these keys on the CPU, and the report counts the run by reason. Every wait has a
 * limit. If a device hangs, memory stays pinned, because the driver would wait for that device
 * before it unpins anything.
 *
 * <p>Memory: that of the jobs, pinned as it is used; on each device that of the four lanes' largest
 * jobs, at most half of what was free.
 */
public final class GpuSortStage implements SortStage {
  /** How long a device may take for an empty job. */
  static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final long LOOK_MILLIS = 50;

  /** Does the jobs that devices failed to do. */
  private final CpuSortStage cpu;

  private final Duration patience;
  private final PinnedMemory pinned = new PinnedMemory();
  private final List<SortDevice> devices = new ArrayList<>();
  private final AtomicInteger turn = new AtomicInteger();
  private final LongAdder checkNanos = new LongAdder();

  /** How often the CPU had to order keys, by reason. */
  private final Map<String, Long> reasons = new TreeMap<>();

  /** Memory that a lost device may still write to. */
  private final List<MemorySegment> lost = new ArrayList<>();

  /** Whether the driver failed to unpin memory in time. */
  private volatile boolean isDriverLost;

  /**
   * Prepares the devices. One that cannot be prepared, or has too little free memory for runs that
   * occupy it, is left out and listed among the report's reasons.
   *
   * @param cpu orders the keys that devices failed to sort
   * @throws GpuException if no device can be prepared
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
    return byCpu(job, answers() ? "every device was given up" : "a device does not respond");
  }

  private Ticket byCpu(Job job, String reason) {
    synchronized (reasons) {
      reasons.merge(reason, 1L, Long::sum);
    }
    return cpu.submit(job);
  }

  /** Also true if no device works any more but the threads' memory cannot be unpinned. */
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

  /** Whether the driver responds. It hangs if any device hangs. */
  private boolean answers() {
    return !isDriverLost && devices.stream().noneMatch(SortDevice::isLost);
  }

  /**
   * Unpins memory in another thread, which may never return: a device can hang meanwhile.
   *
   * @return whether it was done; false after twice the time that a device may take for jobs of so
   *     much memory
   */
  private boolean unpin(MemorySegment memory) {
    FutureTask<Boolean> unpinning = new FutureTask<>(() -> unpinNow(memory), true);
    Thread.ofPlatform().daemon().name("gpu-release").start(unpinning);
    long limit = 2 * GpuStream.patience(patience, memory.byteSize()).toNanos();
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

  /** A job on a device. */
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
        end = new Outcome(Fate.FAILED, "the device returned wrong or unsorted keys");
      }
      MemorySegment scratch =
          end.fate() == Fate.LOST
              ? OffHeap.allocatePages(job.scratch().byteSize(), Arena.global())
              : job.scratch();
      return byCpu(job.withScratch(scratch), end.reason()).await();
    }

    /** Waits for the outcome, at most until the device has shown no progress for too long. */
    private Outcome ended() throws InterruptedException {
      Outcome end = known;
      while (end == null) {
        try {
          end = outcome.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
          if (device.isStalled(job) && !outcome.isDone()) {
            device.lose("it stopped responding");
            end = new Outcome(Fate.LOST, "a device stopped responding");
          }
        } catch (ExecutionException e) {
          end = new Outcome(Fate.LOST, "a lane failed: " + e.getCause());
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
