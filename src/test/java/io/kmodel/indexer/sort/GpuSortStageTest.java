package io.kmodel.indexer.sort;

import static io.kmodel.indexer.sort.SortJobs.assertAllSorted;
import static io.kmodel.indexer.sort.SortJobs.assertSorts;
import static io.kmodel.indexer.sort.SortJobs.distributions;
import static io.kmodel.indexer.sort.SortJobs.draw;
import static io.kmodel.indexer.sort.SortJobs.sortAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.gpu.GpuProbe;
import io.kmodel.indexer.gpu.StubDriver;
import io.kmodel.indexer.gpu.StubDriverExtension;
import io.kmodel.indexer.memory.OffHeap;
import io.kmodel.indexer.sort.lab.KModelSorter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The GPU stage from Java through jcuda to the kernels, on a stub driver. */
@ExtendWith(StubDriverExtension.class)
@ResourceLock(StubDriver.LOCK)
@Timeout(300)
class GpuSortStageTest {
  private static final KernelShape SMALLEST = new KernelShape("f64_2", 2, 1, 0);
  private static final KernelShape SMALL = new KernelShape("f64_5", 5, 2, 2);

  private final StubDriver driver;

  GpuSortStageTest(StubDriver driver) {
    this.driver = driver;
  }

  @ParameterizedTest
  @CsvSource({
    "f64_2,2,1,0",
    "f64_3,3,1,1",
    "f64_5,5,2,2",
    "f64_6,6,2,3",
    "f64_7,7,3,3",
    "f64_8,8,5,4"
  })
  void everyDistributionIsSortedAtEverySizeAroundABorder(String kind, int m, int v, int k)
      throws Exception {
    int most = Math.min(m + 5, 12);
    TreeSet<Integer> sizes = new TreeSet<>();
    for (int log = 0; log <= most; log++) {
      for (int delta = -1; delta <= 1; delta++) {
        sizes.add((1 << log) + delta);
        sizes.add((3 << log) / 2 + delta);
      }
    }
    try (GpuSortStage stage = stage(new KernelShape(kind, m, v, k))) {
      for (int n : sizes) {
        if (n >= 0 && n <= 1 << most) {
          for (Map.Entry<String, long[]> keys : distributions(n, m).entrySet()) {
            assertSorts(stage, keys.getValue(), keys.getKey() + ", " + n + " keys");
          }
        }
      }
      assertThat(stage.report().cpuReasons()).isEmpty();
    }
    assertThat(driver.kept()).as("device memory, pinned memory and contexts").isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {8191, 8192, 8193, 16384, 50_001})
  void thePartsThatGpusHaveAreSortedToo(int n) throws Exception {
    try (GpuSortStage stage = stage(KernelShape.PACKED)) {
      for (Map.Entry<String, long[]> keys : distributions(n, n).entrySet()) {
        assertSorts(stage, keys.getValue(), keys.getKey());
      }
      assertThat(stage.report().cpuReasons()).isEmpty();
    }
  }

  /** A network that sorts all sequences of zeros and ones sorts everything. */
  @ParameterizedTest
  @CsvSource({"f64_2,2,1,0,11", "f64_3,3,1,1,9"})
  void allZerosAndOnesAreSorted(String kind, int m, int v, int k, int most) throws Exception {
    try (GpuSortStage stage = stage(new KernelShape(kind, m, v, k))) {
      for (int n = 0; n <= most; n++) {
        for (int bits = 0; bits < 1 << n; bits++) {
          long[] keys = new long[n];
          for (int i = 0; i < n; i++) {
            keys[i] = (long) (bits >> i & 1) << 40;
          }
          assertSorts(stage, keys, "bits " + bits + " of " + n);
        }
      }
      assertThat(stage.report().cpuReasons()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 31, 32, 33, 1000})
  void theDeviceAndItsJavaTwinAgree(int n) throws Exception {
    long[] keys = draw("zipf", n, 5);
    long[] twin = keys.clone();
    MemorySegment memory = MemorySegment.ofArray(twin);
    KModelSorter.sort(memory, n, 5, 2, KModelSchedule.Mode.CROSS_STAGE);
    try (GpuSortStage stage = stage(SMALL)) {
      assertThat(sortAll(stage, List.of(keys)).getFirst()).isEqualTo(twin);
    }
  }

  @Test
  void severalDevicesTakeTurns() throws Exception {
    driver.reset(3, 64 << 20);
    LongAdder told = new LongAdder();
    try (GpuSortStage stage = stage(SMALL)) {
      stage.observe((upload, sort, held, download, end) -> told.increment());
      List<long[]> jobs = new ArrayList<>();
      for (int i = 0; i < 30; i++) {
        jobs.add(draw("uniform", 700 + i, i));
      }
      assertAllSorted(jobs, sortAll(stage, jobs));
      assertThat(stage.report().devices())
          .hasSize(3)
          .allSatisfy(device -> assertThat(device.runs()).isEqualTo(10));
      assertThat(told.sum()).isEqualTo(30);
    }
    assertThat(driver.kept()).isZero();
  }

  @Test
  void aJobThatIsLargerThanALaneIsTheCpus() throws Exception {
    driver.reset(1, 2 * SortDevice.LANES * 8 * 2048);
    try (GpuSortStage stage = stage(SMALLEST)) {
      assertThat(stage.largestJob()).isEqualTo(2048);
      assertSorts(stage, draw("uniform", 2049, 1), "too many");
      assertSorts(stage, draw("uniform", 2048, 1), "as many as there may be");
      assertThat(stage.report().cpuReasons()).hasSize(1).containsValue(1L);
      assertThat(stage.report().devices().getFirst().runs()).isEqualTo(1);
    }
  }

  @Test
  void memoryIsPinnedAsItIsUsedAndCopiesStayWithinPieces() throws Exception {
    driver.reset(1, 1 << 30);
    try (GpuSortStage stage = stage(KernelShape.PACKED);
        Arena arena = Arena.ofConfined()) {
      // Of 80 MiB of memory for keys only the first few are used: one piece each, not two.
      MemorySegment memory = OffHeap.allocatePages(160L << 20, arena);
      KeyOrder.Job all =
          new KeyOrder.Job(memory.asSlice(0, 80L << 20), memory.asSlice(80L << 20), 1000, 40, 62);
      stage.submit(all).await();
      assertThat(driver.calls("cuMemHostRegister")).isEqualTo(2);
      // Keys across a border of pieces are uploaded and downloaded in two parts.
      int copies = driver.calls("cuMemcpyHtoDAsync");
      long border = (memory.address() + (64L << 20) - 1 & -(64L << 20)) - memory.address();
      MemorySegment keys = memory.asSlice(border - 8000, 16_000);
      for (int i = 0; i < 2000; i++) {
        keys.setAtIndex(ValueLayout.JAVA_LONG, i, 2000 - i);
      }
      MemorySegment scratch = memory.asSlice(border + (16 << 20), 16_000);
      OrderedKeys sorted = stage.submit(new KeyOrder.Job(keys, scratch, 2000, 40, 62)).await();
      assertThat(driver.calls("cuMemcpyHtoDAsync") - copies).isEqualTo(2);
      assertThat(sorted.keys().address()).isEqualTo(scratch.address());
      assertThat(sorted.keys().getAtIndex(ValueLayout.JAVA_LONG, 1999)).isEqualTo(2000);
      assertThat(stage.release(memory)).isTrue();
    }
    assertThat(driver.kept()).isZero();
  }

  @Test
  void aGpuThatIsAskedForAndNotThereIsAnError() {
    GpuProbe none = new GpuProbe(List.of(), List.of(), "no NVIDIA driver");
    KeySorter cpu = new RadixKeySorter();
    assertThatThrownBy(
            () -> SortStages.open(DeviceChoice.parse("gpu"), none, StubDriver.image(), SMALL, cpu))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("--device gpu is not available: no NVIDIA driver");
    assertThatThrownBy(
            () ->
                SortStages.open(
                    DeviceChoice.parse("gpu:0,4"), driver.probe(), StubDriver.image(), SMALL, cpu))
        .hasMessageContaining("there is no gpu:4; there are [gpu:0 (CPU in place of a GPU");
    try (SortStage stage =
        SortStages.open(DeviceChoice.AUTO, none, StubDriver.image(), SMALL, cpu)) {
      assertThat(stage.isAside()).isFalse();
    }
  }

  private GpuSortStage stage(KernelShape shape) {
    return new GpuSortStage(
        driver.probe().devices(), StubDriver.image(), shape, new RadixKeySorter());
  }
}
