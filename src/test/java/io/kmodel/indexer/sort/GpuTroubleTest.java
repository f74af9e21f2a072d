package io.kmodel.indexer.sort;

import static io.kmodel.indexer.sort.SortJobs.assertAllSorted;
import static io.kmodel.indexer.sort.SortJobs.assertSorts;
import static io.kmodel.indexer.sort.SortJobs.draw;
import static io.kmodel.indexer.sort.SortJobs.sortAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.Tier;
import io.kmodel.indexer.gpu.GpuDevice;
import io.kmodel.indexer.gpu.GpuInfo;
import io.kmodel.indexer.gpu.GpuMemory;
import io.kmodel.indexer.gpu.StubDriver;
import io.kmodel.indexer.gpu.StubDriverExtension;
import io.kmodel.indexer.memory.OffHeap;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The GPU stage with devices that are full, fail, or return wrong keys, on a stub driver. */
@ExtendWith(StubDriverExtension.class)
@ResourceLock(StubDriver.LOCK)
@Timeout(300)
class GpuTroubleTest {
  private static final KernelShape SMALL = new KernelShape("f64_5", 5, 2, 2);

  /** Every driver call of a sort, from the first search for devices on. */
  private static final List<String> CALLS =
      List.of(
          "cuDeviceGet",
          "cuDevicePrimaryCtxRetain",
          "cuDevicePrimaryCtxRelease",
          "cuCtxSetCurrent",
          "cuModuleLoadData",
          "cuModuleUnload",
          "cuModuleGetFunction",
          "cuFuncSetAttribute",
          "cuMemGetInfo",
          "cuMemAlloc",
          "cuMemFree",
          "cuMemHostRegister",
          "cuMemHostUnregister",
          "cuStreamCreate",
          "cuStreamQuery",
          "cuStreamWaitEvent",
          "cuStreamDestroy",
          "cuEventCreate",
          "cuEventRecord",
          "cuEventElapsedTime",
          "cuEventDestroy",
          "cuMemcpyHtoDAsync",
          "cuMemcpyDtoHAsync",
          "cuLaunchKernel");

  private final StubDriver driver;

  GpuTroubleTest(StubDriver driver) {
    this.driver = driver;
  }

  @Test
  void aDeviceThatIsFullIsLeftOut() {
    driver.reset(1, 0);
    String reason = "only 0 MiB of the device's memory are free, but 1 MiB are needed";
    try (SortStage stage = open(DeviceChoice.AUTO)) {
      assertThat(stage.isAside()).isFalse();
      assertThat(stage.largestJob()).isEqualTo(Long.MAX_VALUE);
      assertThat(stage.report().cpuReasons()).containsOnlyKeys(reason);
    }
    assertThatThrownBy(() -> open(DeviceChoice.parse("gpu:0")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("--device gpu:0 is not available: " + reason);
    assertThat(driver.kept()).isZero();
  }

  @Test
  void aDeviceThatOthersHaveFilledDoesNotMakeRunsSmaller() throws Exception {
    driver.reset(2, 64 << 20);
    GpuInfo crowded = driver.probe().devices().getLast();
    try (GpuDevice others = new GpuDevice(crowded, StubDriver.image(), SMALL.kernels());
        GpuMemory taken = others.allocate((63L << 20) + 1);
        GpuSortStage stage = stage(SMALL)) {
      assertThat(taken.bytes()).isEqualTo((63L << 20) + 1);
      assertThat(stage.largestJob()).isEqualTo((64 << 20) / 2 / SortDevice.LANES / 8);
      assertSorts(stage, draw("uniform", 1000, 1), "by the other device");
      assertThat(stage.report().devices()).hasSize(1);
      assertThat(stage.report().cpuReasons())
          .containsOnly(
              Map.entry(
                  crowded
                      + " cannot be used: only 0 MiB of the device's memory are free, but 1 MiB are"
                      + " needed",
                  0L));
      others.use();
    }
    assertThat(driver.kept()).isZero();
  }

  @Test
  void runsAreMadeForTheDeviceWithTheLeastRoom() {
    driver.reset(2, 64 << 20);
    GpuInfo crowded = driver.probe().devices().getFirst();
    try (GpuDevice others = new GpuDevice(crowded, StubDriver.image(), SMALL.kernels());
        GpuMemory taken = others.allocate(32 << 20);
        GpuSortStage stage = stage(SMALL)) {
      assertThat(stage.largestJob()).isEqualTo(taken.bytes() / 2 / SortDevice.LANES / 8);
      others.use();
    }
  }

  @Test
  void aDeviceThatWasGivenUpDoesNotMakeRunsSmaller() throws Exception {
    driver.reset(1, 2 << 20);
    try (GpuSortStage stage = stage(SMALL)) {
      assertThat(stage.largestJob()).isLessThan(1 << 20);
      driver.fail("cuLaunchKernel", 1, 3, StubDriver.LAUNCH_FAILED);
      for (int i = 0; i < 3; i++) {
        assertSorts(stage, draw("uniform", 100, i), "job " + i);
      }
      assertThat(stage.largestJob()).isEqualTo(Long.MAX_VALUE);
    }
  }

  /** The central promise: keys are sorted whichever call fails, and however often. */
  @ParameterizedTest
  @CsvSource({"2, false", "719, false", "719, true"})
  void keysComeBackInOrderWhateverCallFails(int code, boolean everAfter) throws Exception {
    List<long[]> jobs = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      jobs.add(draw("gaussian", 60 + 40 * i, i));
    }
    driver.reset(2, 64 << 20);
    sortWithFaults(jobs);
    Map<String, Integer> counts = new LinkedHashMap<>();
    CALLS.forEach(call -> counts.put(call, driver.calls(call)));
    assertThat(counts).allSatisfy((call, count) -> assertThat(count).as(call).isPositive());
    for (Map.Entry<String, Integer> call : counts.entrySet()) {
      for (int nth = 1; nth <= Math.min(call.getValue(), 14); nth += Tier.pick(6, 1)) {
        driver.reset(2, 64 << 20);
        driver.fail(call.getKey(), nth, everAfter ? Integer.MAX_VALUE : nth, code);
        sortWithFaults(jobs);
      }
    }
  }

  private void sortWithFaults(List<long[]> jobs) throws InterruptedException {
    try (SortStage stage = open(DeviceChoice.AUTO)) {
      assertAllSorted(jobs, sortAll(stage, jobs));
      SortReport report = stage.report();
      long byDevices = report.devices().stream().mapToLong(SortReport.Device::runs).sum();
      assertThat(byDevices + report.cpuRuns()).as("%s", report).isEqualTo(jobs.size());
    }
  }

  @Test
  void aDeviceThatFailsAgainAndAgainGetsNoMoreJobs() throws Exception {
    driver.reset(2, 64 << 20);
    try (GpuSortStage stage = stage(SMALL)) {
      driver.fail("cuLaunchKernel", 1, Integer.MAX_VALUE, StubDriver.LAUNCH_FAILED);
      List<long[]> jobs = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        jobs.add(draw("uniform", 100, i));
      }
      for (long[] job : jobs) {
        assertSorts(stage, job, "after a failure");
      }
      assertThat(stage.report().cpuRuns()).isEqualTo(40);
      assertThat(stage.report().cpuReasons())
          .containsEntry("cuLaunchKernel(sort_blocks_f64_5) failed with code 719", 6L)
          .containsEntry("every device was given up", 34L);
    }
  }

  @Test
  void aJobThatIsSortedEndsARowOfFailures() throws Exception {
    try (GpuSortStage stage = stage(SMALL)) {
      for (int i = 0; i < 5; i++) {
        driver.fail("cuLaunchKernel", 1, 1, StubDriver.LAUNCH_FAILED);
        assertSorts(stage, draw("uniform", 100, i), "by the CPU");
        assertSorts(stage, draw("uniform", 100, i), "by the device");
      }
      assertThat(stage.report().cpuReasons())
          .containsOnly(Map.entry("cuLaunchKernel(sort_blocks_f64_5) failed with code 719", 5L));
    }
  }

  @Test
  void memoryThatDevicesHadIsGivenBackWhenTheyWereGivenUp() throws Exception {
    try (GpuSortStage stage = stage(SMALL);
        Arena arena = Arena.ofShared()) {
      MemorySegment memory = OffHeap.allocatePages(16 * 1000, arena);
      driver.fail("cuLaunchKernel", 1, Integer.MAX_VALUE, StubDriver.LAUNCH_FAILED);
      for (int i = 0; i < 3; i++) {
        assertThat(stage.isAside()).isTrue();
        stage.submit(SortJobs.job(memory, draw("uniform", 1000, i))).await();
      }
      assertThat(stage.isAside()).as("the CPU's alone now").isFalse();
      assertThat(stage.release(memory)).isTrue();
    }
    assertThat(driver.kept()).isZero();
  }

  /** After some failures every further call of a process fails. */
  @Test
  void threadsKeepTheBuffersThatADeadDeviceDoesNotGiveBack() throws Exception {
    try (GpuSortStage stage = stage(SMALL);
        Arena arena = Arena.ofShared()) {
      MemorySegment memory = OffHeap.allocatePages(16 * 1000, arena);
      for (String call : List.of("cuLaunchKernel", "cuStreamQuery", "cuMemHostUnregister")) {
        driver.fail(call, 1, Integer.MAX_VALUE, StubDriver.LAUNCH_FAILED);
      }
      for (int i = 0; i < 4; i++) {
        stage.submit(SortJobs.job(memory, draw("uniform", 1000, i))).await();
      }
      assertThat(stage.report().cpuReasons()).containsKey("every device was given up");
      assertThat(stage.isAside()).isTrue();
      assertThat(stage.release(memory)).isFalse();
    }
  }

  @Test
  void theCpuCountsKeysWithCountersThatDevicesHaveNotSorted() throws Exception {
    try (GpuSortStage stage =
            new GpuSortStage(
                driver.probe().devices(), StubDriver.image(), SMALL, SortStages.onCpu());
        Arena arena = Arena.ofShared()) {
      MemorySegment memory = OffHeap.allocatePages(16 * 1000, arena);
      long[] keys = draw("uniform", 1000, 1);
      KeyOrder.Job all = SortJobs.job(memory, keys);
      MemorySegment counters = OffHeap.allocate(CountingOrder.COUNTER_BYTES << 12, arena);
      KeyOrder.Job job = new KeyOrder.Job(all.keys(), all.scratch(), 1000, 50, 62, counters);
      driver.fail("cuLaunchKernel", 1, Integer.MAX_VALUE, StubDriver.LAUNCH_FAILED);
      for (int i = 0; i < 4; i++) {
        OrderedKeys ordered = stage.submit(job).await();
        assertThat(SortJobs.copy(ordered.keys(), 1000)).isEqualTo(keys);
        assertThat(ordered.byDevice()).isFalse();
        assertThat(ordered).isInstanceOf(CountedKeys.class);
        int term = (int) (keys[0] >>> 50);
        assertThat(((CountedKeys) ordered).count(term))
            .isEqualTo((int) LongStream.of(keys).filter(key -> key >>> 50 == term).count());
      }
      assertThat(stage.report().cpuRuns()).isEqualTo(4);
      assertThat(stage.release(memory)).isTrue();
    }
  }

  @Test
  void anErrorInALaneIsAReasonToo() throws Exception {
    try (GpuSortStage stage = stage(SMALL)) {
      stage.observe(
          (upload, sort, held, download, end) -> {
            throw new AssertionError("for the test");
          });
      assertSorts(stage, draw("uniform", 1000, 1), "a lane failed");
      assertThat(stage.report().cpuReasons())
          .containsOnly(Map.entry("a lane failed: java.lang.AssertionError: for the test", 1L));
      assertSorts(stage, draw("uniform", 1000, 2), "and the device was given up");
      assertThat(stage.report().cpuReasons()).containsEntry("a device does not respond", 1L);
    }
  }

  @Test
  void aDeviceWithLittleMemoryIsAskedForAsMuchAsAJobTakes() throws Exception {
    try (GpuSortStage stage = stage(SMALL);
        Arena arena = Arena.ofShared()) {
      MemorySegment memory = OffHeap.allocatePages(16 * 100_000, arena);
      driver.fail("cuMemAlloc", 1, 1, StubDriver.OUT_OF_MEMORY);
      stage.submit(SortJobs.job(memory, draw("uniform", 1000, 1))).await();
      assertThat(stage.report().cpuReasons()).isEmpty();
      assertThat(stage.release(memory)).isTrue();
    }
  }

  @Test
  void aDeviceWithoutMemoryIsAskedAgain() throws Exception {
    try (GpuSortStage stage = stage(SMALL)) {
      driver.fail("cuMemAlloc", 1, 5, StubDriver.OUT_OF_MEMORY);
      for (int i = 0; i < 7; i++) {
        assertSorts(stage, draw("uniform", 100 + i, i), "job " + i);
      }
      assertThat(stage.report().cpuReasons())
          .containsOnly(Map.entry("cuMemAlloc failed with code 2", 5L));
    }
  }

  @Test
  void keysThatWereNotSentAreNoticed() throws Exception {
    try (GpuSortStage stage = stage(SMALL)) {
      driver.damage();
      assertSorts(stage, draw("uniform", 500, 3), "one key is another");
      assertThat(stage.report().cpuReasons())
          .containsOnlyKeys("the device returned wrong or unsorted keys");
    }
  }

  private SortStage open(DeviceChoice choice) {
    return SortStages.open(choice, driver.probe(), StubDriver.image(), SMALL, new RadixKeySorter());
  }

  private GpuSortStage stage(KernelShape shape) {
    return new GpuSortStage(
        driver.probe().devices(), StubDriver.image(), shape, new RadixKeySorter());
  }
}
