package io.kmodel.indexer.indexing.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.analysis.Analyzers;
import io.kmodel.indexer.analysis.DocumentAnalysis;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.index.model.Field;
import io.kmodel.indexer.index.model.Schema;
import io.kmodel.indexer.indexing.report.StageClock;
import io.kmodel.indexer.sort.CpuSortStage;
import io.kmodel.indexer.sort.SortStages;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How large runs are. Memory outside of the heap that nobody touches takes none. */
class RunBuffersTest {
  private static final DocumentAnalysis ANALYSIS =
      DocumentAnalysis.of(Analyzers.STANDARD, Analyzers.named(Analyzers.STANDARD));

  private static final Schema SCHEMA =
      Schema.of(List.of(new Field("contents", Detail.POSITIONS, true, false)));
  private static final long MIB = 1 << 20;

  @ParameterizedTest
  @CsvSource({"24, 24", "255, 255", "256, 256", "257, 256", "2000, 256"})
  void aRunHasItsThreadsShareUpToALimit(long shareMib, long runMib) throws Exception {
    try (CpuSortStage sorters = new CpuSortStage(SortStages.onCpu());
        RunBuffers runs = buffers(shareMib * MIB, sorters)) {
      isOf(runs, runMib);
    }
  }

  @Test
  void aDocumentThatFitsNoUsualRunGetsAllOfTheShare() throws Exception {
    try (CpuSortStage sorters = new CpuSortStage(SortStages.onCpu());
        RunBuffers runs = buffers(700 * MIB, sorters)) {
      assertThat(runs.grow()).isTrue();
      isOf(runs, 700);
      assertThat(runs.grow()).as("there is no more").isFalse();
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 256", "2, 256"})
  void whatIsGivenForOneDocumentIsTakenBack(int buffers, long runMib) throws Exception {
    try (CpuSortStage sorters = new CpuSortStage(SortStages.onCpu());
        RunBuffers runs =
            new RunBuffers(SCHEMA, ANALYSIS, 700 * MIB, buffers, sorters, new StageClock())) {
      assertThat(runs.grow()).isTrue();
      isOf(runs, 700);
      assertThat(runs.hasGrown()).isTrue();
      runs.shrink();
      isOf(runs, runMib);
      assertThat(runs.hasGrown()).isFalse();
      assertThat(runs.grow()).as("the next such document").isTrue();
    }
  }

  @Test
  void aShareBelowTheLimitIsOneRunAndDoesNotGrow() throws Exception {
    try (CpuSortStage sorters = new CpuSortStage(SortStages.onCpu());
        RunBuffers runs = buffers(100 * MIB, sorters)) {
      assertThat(runs.grow()).isFalse();
      isOf(runs, 100);
    }
  }

  private static RunBuffers buffers(long bytes, CpuSortStage sorters) {
    return new RunBuffers(SCHEMA, ANALYSIS, bytes, 1, sorters, new StageClock());
  }

  /** But for what alignment takes. */
  private static void isOf(RunBuffers runs, long mib) {
    assertThat(runs.bytes()).isBetween(mib * MIB - 1024, mib * MIB);
  }
}
