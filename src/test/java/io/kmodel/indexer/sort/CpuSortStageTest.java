package io.kmodel.indexer.sort;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.memory.OffHeap;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CpuSortStageTest {
  @Test
  void keysThatMayBeLeftAreLeftAndCountedWithTheOthers() throws Exception {
    long[] keys = {3, 1, 2};
    try (Arena arena = Arena.ofConfined();
        CpuSortStage stage = new CpuSortStage(new RadixKeySorter())) {
      MemorySegment memory = OffHeap.allocate(48, arena);
      SortStage.Job job = SortJobs.job(memory, keys);
      SortStage.Sorted left =
          stage.submit(new SortStage.Job(job.keys(), job.scratch(), 3, 0, 62, true)).await();
      assertThat(left.isLeft()).isTrue();
      assertThat(SortJobs.copy(left.keys(), 3)).containsExactly(keys);
      SortStage.Sorted sorted = stage.submit(job).await();
      assertThat(sorted.isLeft()).isFalse();
      assertThat(SortJobs.copy(sorted.keys(), 3)).containsExactly(1, 2, 3);
      assertThat(stage.report().cpuRuns()).isEqualTo(2);
      assertThat(stage.report().cpuReasons()).containsOnly(Map.entry("asked to", 2L));
      assertThat(stage.release(memory)).isTrue();
    }
  }
}
