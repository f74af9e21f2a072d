package io.kmodel.indexer.sort;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Orders keys in the submitting thread, and counts the runs for its report. */
public final class CpuSortStage implements SortStage {
  private final KeyOrder order;
  private final String reason;
  private final LongAdder runs = new LongAdder();

  /** A stage that the user asked for. */
  public CpuSortStage(KeyOrder order) {
    this(order, "asked to");
  }

  /**
   * A stage used instead of a device.
   *
   * @param reason why, for the report
   */
  CpuSortStage(KeyOrder order, String reason) {
    this.order = order;
    this.reason = reason;
  }

  @Override
  public Ticket submit(Job job) {
    Ticket ticket = order.submit(job);
    runs.increment();
    return ticket;
  }

  @Override
  public boolean isAside() {
    return false;
  }

  @Override
  public long largestJob() {
    return Long.MAX_VALUE;
  }

  @Override
  public boolean release(MemorySegment memory) {
    return true;
  }

  @Override
  public SortReport report() {
    return new SortReport(List.of(), runs.sum(), Map.of(reason, runs.sum()), 0);
  }

  @Override
  public void close() {}
}
