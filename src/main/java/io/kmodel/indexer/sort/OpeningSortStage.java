package io.kmodel.indexer.sort;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Devices that are being opened while the build begins, which takes a driver some tenths of a
 * second. Until they are there the CPU sorts, in the thread that asks, and so it does where they
 * cannot be had; the report counts its runs with the reason.
 */
final class OpeningSortStage implements SortStage {
  static final String NOT_OPEN = "devices were still being opened";

  /** How long the end of a build waits for a driver: less than a call has that is told to stop. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final KeyOrder order;
  private final CpuSortStage cpu;
  private final Duration patience;
  private final Thread opener;
  private volatile @Nullable SortStage opened;

  /** With the lock of this, as is the next. */
  private DeviceListener listener = DeviceListener.NONE;

  private boolean closed;

  /** Begins to open them, in a thread of its own. */
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
      // Whatever it is, it concerns devices that nobody has asked for.
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

  /** As long as nothing else is known, it will. */
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

  /** Waits until the driver is back, not for ever: a process does not end well while it starts. */
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
