package io.kmodel.indexer.indexing.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.analysis.IndexAnalysis;
import io.kmodel.indexer.index.model.Detail;
import io.kmodel.indexer.indexing.options.BuildOptions.Resources;
import io.kmodel.indexer.parse.field.FieldPlan;
import io.kmodel.indexer.parse.html.HtmlMode;
import io.kmodel.indexer.source.SourceOptions;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class MemoryPlanTest {
  private static final long MEBIBYTE = 1 << 20;

  /** And the bitmaps of the collector, a 28th of the heap. */
  @Test
  void theBudgetIsDividedWithoutARest() {
    for (long mebibytes : new long[] {256, 512, 1024, 2048, 4096, 65_536}) {
      for (int threads = 1; threads <= 5; threads++) {
        MemoryPlan plan = plan(mebibytes, threads);
        for (MemoryPlan any : new MemoryPlan[] {plan, plan.keeping(threads)}) {
          assertThat(
                  any.heapBytes()
                      + any.heapBytes() / 28
                      + any.runBytes() * threads
                      + any.keptBytes()
                      + any.windowBytes()
                      + any.aheadBytes())
              .isBetween(mebibytes * MEBIBYTE - threads, mebibytes * MEBIBYTE);
          assertThat(any.runBytes()).isGreaterThanOrEqualTo(24 * MEBIBYTE);
        }
      }
    }
  }

  @Test
  void largeBudgetsAreKeptToo() {
    for (long gibibytes : new long[] {1, 4, 16, 64, 512}) {
      long budget = gibibytes << 30;
      MemoryPlan plan = MemoryPlan.of(new Resources(16, budget), budget * 2 / 5);
      long collector = plan.heapBytes() / 29;
      assertThat(plan.heapBytes() + collector + 16 * plan.runBytes()).isLessThanOrEqualTo(budget);
      assertThat(plan.documentHeapBytes()).isLessThanOrEqualTo(plan.heapBytes());
      MemoryPlan keeping = plan.keeping(16);
      assertThat(keeping.keptBytes()).isNotNegative();
      assertThat(keeping.runBytes()).isGreaterThanOrEqualTo(24 << 20);
      assertThat(16 * keeping.runBytes() + keeping.keptBytes()).isEqualTo(16 * plan.runBytes());
    }
  }

  @Test
  void anEmbeddedBuildHasAsManyThreadsAsItsMemoryAllows() {
    for (long mebibytes : new long[] {256, 300, 1000, 4096}) {
      long budget = mebibytes * MEBIBYTE;
      int most = MemoryPlan.mostEmbeddedThreads(budget);
      long heap = budget / 5 * 2;
      assertThat(MemoryPlan.of(new Resources(most, budget), heap).runBytes())
          .isGreaterThanOrEqualTo(24 * MEBIBYTE);
      assertThatThrownBy(() -> MemoryPlan.of(new Resources(most + 1, budget), heap))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aThirdOfTheMemoryOfRunsIsForThoseThatWait() {
    MemoryPlan plan = plan(4096, 2);
    assertThat(plan.keptBytes()).isZero();
    assertThat(plan.keeping(2).keptBytes()).isEqualTo(plan.runBytes() / 3 * 2);
    assertThat(plan(256, 5).keeping(5).runBytes()).as("none to spare").isEqualTo(24 * MEBIBYTE);
  }

  @Test
  void noneIsForThoseThatWaitWhereNoneDoes() {
    assertThat(MemoryPlan.of(options(Detail.POSITIONS), true).keptBytes()).isPositive();
    assertThat(MemoryPlan.of(options(Detail.POSITIONS), false).keptBytes()).isZero();
    assertThat(MemoryPlan.of(options(Detail.OFFSETS), true).keptBytes()).isZero();
  }

  private static BuildOptions options(Detail detail) {
    return new BuildOptions(
        ImmutableList.of(Path.of("crawl")),
        SourceOptions.DEFAULT,
        Duplicates.KEEP,
        Path.of("index"),
        false,
        HtmlMode.FAST,
        new IndexedText(FieldPlan.DEFAULT, IndexAnalysis.of("standard"), detail, Store.CONTENTS),
        new Resources(1, 1L << 40));
  }

  @Test
  void whatAMergeHasIsForReadersAndForPartsThatWaitOrAreEncoded() {
    MemoryPlan small = new MemoryPlan(0, 0, 80 * MEBIBYTE, 0);
    assertThat(small.heldBytes()).isEqualTo(10 * MEBIBYTE);
    assertThat(small.readerBytes()).isEqualTo(70 * MEBIBYTE);
    assertThat(small.encodedBytes()).isEqualTo(20 * MEBIBYTE);
    MemoryPlan large = new MemoryPlan(0, 0, 1024 * MEBIBYTE, 0);
    assertThat(large.heldBytes()).as("no more than is of use").isEqualTo(64 * MEBIBYTE);
    assertThat(large.readerBytes()).isEqualTo(960 * MEBIBYTE);
  }

  @Test
  void aRunTakesNoMoreThanIsUsual() {
    assertThat(MemoryPlan.usualRunBytes(100 * MEBIBYTE)).isEqualTo(100 * MEBIBYTE);
    assertThat(MemoryPlan.usualRunBytes(1024 * MEBIBYTE)).isEqualTo(256 * MEBIBYTE);
  }

  @Test
  void aDictionaryFitsTheOldGenerationBesideOthers() {
    assertThat(new MemoryPlan(900 * MEBIBYTE, 0, 0, 0).largestDictionaryBytes())
        .isEqualTo(500 * MEBIBYTE);
  }

  @Test
  void theUsualBudgetLeavesAWindowOfZstdLong() {
    MemoryPlan plan = plan(4096, 2);
    assertThat(plan.windowBytes()).isBetween(129 * MEBIBYTE, 160 * MEBIBYTE);
    assertThat(plan(1800, 2).windowBytes()).isEqualTo(129 * MEBIBYTE);
    assertThat(plan.largestDictionaryBytes()).isGreaterThan(800 * MEBIBYTE);
  }

  @Test
  void aLargeBudgetLeavesASixteenthForAWindow() {
    MemoryPlan plan = plan(65_536, 2);
    long offHeap = plan.windowBytes() + plan.aheadBytes() + 2 * plan.runBytes();
    assertThat(plan.windowBytes()).isBetween(offHeap / 16, offHeap / 16 + 1);
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
