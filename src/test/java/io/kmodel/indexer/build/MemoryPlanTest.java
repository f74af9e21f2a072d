package io.kmodel.indexer.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.build.BuildOptions.Resources;
import org.junit.jupiter.api.Test;

class MemoryPlanTest {
  private static final long MEBIBYTE = 1 << 20;

  @Test
  void aLargeWindowAndWhatIsUnpackedAheadArePartOfTheBudget() {
    for (long mebibytes : new long[] {256, 512, 1024, 2048, 4096, 65_536}) {
      for (int threads = 1; threads <= 5; threads++) {
        MemoryPlan plan = plan(mebibytes, threads);
        for (MemoryPlan any : new MemoryPlan[] {plan, plan.keeping(threads)}) {
          assertThat(
                  any.heapBytes()
                      + any.runBytes() * threads
                      + any.keptBytes()
                      + any.windowBytes()
                      + any.aheadBytes())
              .isLessThanOrEqualTo(mebibytes * MEBIBYTE);
          assertThat(any.runBytes()).isGreaterThanOrEqualTo(24 * MEBIBYTE);
        }
      }
    }
  }

  @Test
  void theUsualBudgetLeavesAWindowOfZstdLong() {
    MemoryPlan plan = plan(4096, 2);
    assertThat(plan.windowBytes()).isBetween(129 * MEBIBYTE, 160 * MEBIBYTE);
    assertThat(plan(1800, 2).windowBytes()).isEqualTo(129 * MEBIBYTE);
    assertThat(plan.largestDictionaryBytes()).isGreaterThan(800 * MEBIBYTE);
  }

  @Test
  void onlyWhatRunsCanSpareIsForAWindow() {
    assertThat(plan(256, 2).windowBytes()).isBetween(15 * MEBIBYTE, 16 * MEBIBYTE);
    assertThat(plan(256, 5).windowBytes()).isLessThan(4 * MEBIBYTE);
  }

  @Test
  void theUsualBudgetLeavesAPieceOfAPackedFileForEachThread() {
    assertThat(plan(4096, 2).aheadBytes()).isBetween(128 * MEBIBYTE, 160 * MEBIBYTE);
    assertThat(plan(24 * 1024, 16).aheadBytes()).isBetween(880 * MEBIBYTE, 1024 * MEBIBYTE);
    assertThat(plan(256, 5).aheadBytes()).isZero();
  }

  @Test
  void whatReadersTakeLeavesDocumentsHalfOfTheHeap() {
    Resources many = new Resources(64, 4096 * MEBIBYTE);
    assertThat(MemoryPlan.of(many, 128 * MEBIBYTE).documentHeapBytes()).isEqualTo(64 * MEBIBYTE);
    assertThat(MemoryPlan.of(many, 1024 * MEBIBYTE).documentHeapBytes())
        .isEqualTo((1024 - 64 - 80) * MEBIBYTE);
  }

  @Test
  void aHeapAboveTheBudgetIsRefusedWithWhatToDo() {
    Resources resources = new Resources(2, 512 * MEBIBYTE);
    assertThatThrownBy(() -> MemoryPlan.of(resources, 2048 * MEBIBYTE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("a memory budget of 512 MiB leaves 0 MiB")
        .hasMessageContaining("raise --memory");
  }

  /** As the launcher has it. */
  private static MemoryPlan plan(long mebibytes, int threads) {
    long heap = Math.max(128, mebibytes * 2 / 5);
    return MemoryPlan.of(new Resources(threads, mebibytes * MEBIBYTE), heap * MEBIBYTE);
  }
}
