package io.kmodel.indexer.sort;

import java.lang.foreign.MemorySegment;

/** A stage that does what the CPU stage of a build does, except for what a test overrides. */
public class AlteredCpuStage implements SortStage {
  private final CpuSortStage cpu = new CpuSortStage(SortStages.onCpu());

  @Override
  public Ticket submit(Job job) {
    return cpu.submit(job);
  }

  @Override
  public boolean isAside() {
    return cpu.isAside();
  }

  @Override
  public long largestJob() {
    return cpu.largestJob();
  }

  @Override
  public boolean release(MemorySegment memory) {
    return cpu.release(memory);
  }

  @Override
  public SortReport report() {
    return cpu.report();
  }

  @Override
  public void close() {
    cpu.close();
  }
}
