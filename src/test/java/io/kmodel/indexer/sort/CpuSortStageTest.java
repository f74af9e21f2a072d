package io.kmodel.indexer.sort;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.memory.OffHeap;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CpuSortStageTest {
  @Test
  void keysWithCountersAreCountedAndOthersSorted() throws Exception {
    long[] keys = {3, 1, 2};
    try (Arena arena = Arena.ofConfined();
        CpuSortStage stage = new CpuSortStage(SortStages.onCpu())) {
      MemorySegment memory = OffHeap.allocate(48, arena);
      MemorySegment counters = OffHeap.allocate(4 * CountingOrder.COUNTER_BYTES, arena);
      KeyOrder.Job job = SortJobs.job(memory, keys);
      OrderedKeys counted =
          stage.submit(new KeyOrder.Job(job.keys(), job.scratch(), 3, 0, 2, counters)).await();
      assertThat(counted).isInstanceOf(CountedKeys.class);
      assertThat(SortJobs.copy(counted.keys(), 3)).containsExactly(keys);
      OrderedKeys sorted = stage.submit(job).await();
      assertThat(sorted).isInstanceOf(SortedKeys.class);
      assertThat(sorted.byDevice()).isFalse();
      assertThat(SortJobs.copy(sorted.keys(), 3)).containsExactly(1, 2, 3);
      assertThat(stage.report().cpuRuns()).isEqualTo(2);
      assertThat(stage.report().cpuReasons()).containsOnly(Map.entry("asked to", 2L));
      assertThat(stage.release(memory)).isTrue();
    }
  }
}
