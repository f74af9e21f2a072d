package io.kmodel.indexer.sort;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Sorts at once, in the thread that asks; but leaves it the keys that it may leave. */
public final class CpuSortStage implements SortStage {
  private final KeySorter sorter;
  private final String reason;
  private final LongAdder runs = new LongAdder();

  public CpuSortStage(KeySorter sorter) {
    this(sorter, "asked to");
  }

  /** One that gives this reason in its report. */
  CpuSortStage(KeySorter sorter, String reason) {
    this.sorter = sorter;
    this.reason = reason;
  }

  @Override
  public Ticket submit(Job job) {
    if (!job.mayBeLeft()) {
      int lowBit = sorter.isStable() ? job.orderedBits() : 0;
      sorter.sort(job.keys(), job.count(), job.scratch(), lowBit, job.highBit());
    }
    runs.increment();
    return new Done(new Sorted(job.keys(), job.scratch(), job.mayBeLeft()));
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

  /** Of a sort that has ended. */
  private record Done(Sorted sorted) implements Ticket {
    @Override
    public Sorted await() {
      return sorted;
    }

    @Override
    public void settle() {}
  }
}
