package io.kmodel.indexer.sort;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Opens devices while the build starts, because a driver takes tenths of a second. Until they are
 * open, or if they cannot be opened, the CPU orders keys in the submitting thread. The report
 * counts these runs by reason.
 */
final class OpeningSortStage implements SortStage {
  static final String NOT_OPEN = "devices were still being opened";

  /** How long {@link #close} waits for a driver: less than the grace time of a signal to stop. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final KeyOrder order;
  private final CpuSortStage cpu;
  private final Duration patience;
  private final Thread opener;
  private volatile @Nullable SortStage opened;

  /** Guarded by this, like the next field. */
  private DeviceListener listener = DeviceListener.NONE;

  private boolean closed;

  /** Starts a thread that opens the devices. */
  OpeningSortStage(Supplier<SortStage> opening, KeyOrder order) {
    this(opening, order, PATIENCE);
  }

  OpeningSortStage(Supplier<SortStage> opening, KeyOrder order, Duration patience) {
    this.order = order;
    this.patience = patience;
    this.cpu = new CpuSortStage(order, NOT_OPEN);
    this.opener = new Thread(() -> open(opening), "gpu-open");
    opener.setDaemon(true);
    opener.start();
  }

  private void open(Supplier<SortStage> opening) {
    SortStage stage;
    try {
      stage = opening.get();
    } catch (Throwable e) {
      // The user did not ask for devices, so no failure to open them is fatal.
      stage = new CpuSortStage(order, "devices cannot be opened: " + e);
    }
    synchronized (this) {
      stage.observe(listener);
      opened = stage;
      if (closed) {
        stage.close();
      }
    }
  }

  private SortStage stage() {
    SortStage stage = opened;
    return stage == null ? cpu : stage;
  }

  @Override
  public Ticket submit(Job job) {
    return stage().submit(job);
  }

  /** True until the devices are known. */
  @Override
  public boolean isAside() {
    SortStage stage = opened;
    return stage == null || stage.isAside();
  }

  @Override
  public long largestJob() {
    return stage().largestJob();
  }

  @Override
  public boolean release(MemorySegment memory) {
    return stage().release(memory);
  }

  @Override
  public synchronized void observe(DeviceListener observer) {
    listener = observer;
    stage().observe(observer);
  }

  @Override
  public SortReport report() {
    SortReport before = cpu.report();
    SortStage stage = opened;
    if (stage == null) {
      return before;
    }
    SortReport after = stage.report();
    if (before.cpuRuns() == 0) {
      return after;
    }
    Map<String, Long> reasons = new TreeMap<>(after.cpuReasons());
    reasons.merge(NOT_OPEN, before.cpuRuns(), Long::sum);
    return new SortReport(
        after.devices(), before.cpuRuns() + after.cpuRuns(), reasons, after.checkSeconds());
  }

  /** Waits a limited time for the driver to start, so that the process does not exit in between. */
  @Override
  public void close() {
    boolean interrupted = false;
    long deadline = System.nanoTime() + patience.toNanos();
    long left = patience.toMillis();
    while (opener.isAlive() && left > 0) {
      try {
        opener.join(left);
      } catch (InterruptedException e) {
        interrupted = true;
      }
      left = (deadline - System.nanoTime()) / 1_000_000;
    }
    synchronized (this) {
      closed = true;
      if (opened != null) {
        opened.close();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
