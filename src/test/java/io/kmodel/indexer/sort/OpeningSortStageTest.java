package io.kmodel.indexer.sort;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.Uninterruptibles;
import io.kmodel.indexer.gpu.GpuProbe;
import io.kmodel.indexer.gpu.StubDriver;
import io.kmodel.indexer.gpu.StubDriverExtension;
import io.kmodel.indexer.memory.OffHeap;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Devices that are opened while the CPU sorts, on a stub driver. */
@Tag("alone")
@ExtendWith(StubDriverExtension.class)
@ResourceLock(StubDriver.LOCK)
@Timeout(60)
class OpeningSortStageTest {
  private static final KernelShape SMALL = new KernelShape("f64_5", 5, 2, 2);

  private final CountDownLatch leave = new CountDownLatch(1);
  private final AtomicInteger listened = new AtomicInteger();
  private final StubDriver driver;

  OpeningSortStageTest(StubDriver driver) {
    this.driver = driver;
  }

  @Test
  void theCpuSortsUntilTheDeviceIsThere() throws Exception {
    try (SortStage stage = opening(this::devices)) {
      stage.observe((upload, sort, held, download, end) -> listened.incrementAndGet());
      assertThat(stage.isAside()).isTrue();
      assertThat(stage.largestJob()).isEqualTo(Long.MAX_VALUE);
      sort(stage);
      sort(stage);
      assertThat(stage.report().devices()).isEmpty();
      assertThat(stage.report().cpuReasons()).containsEntry(OpeningSortStage.NOT_OPEN, 2L);
      assertThat(listened).hasValue(0);

      leave.countDown();
      awaitOpened(stage);
      assertThat(stage.isAside()).isTrue();
      assertThat(stage.largestJob()).isLessThan(512 << 20);
      sort(stage);
      SortReport report = stage.report();
      assertThat(report.devices()).hasSize(1);
      assertThat(report.devices().getFirst().runs()).isEqualTo(1);
      assertThat(report.cpuRuns()).isEqualTo(2);
      assertThat(report.cpuReasons()).containsOnly(Map.entry(OpeningSortStage.NOT_OPEN, 2L));
      assertThat(report.checkSeconds()).isPositive();
      assertThat(listened).hasValue(1);
    }
    assertThat(driver.kept()).isZero();
  }

  @Test
  void theReportOfDevicesThatWereThereInTimeIsTheirOwn() throws Exception {
    leave.countDown();
    try (SortStage stage = opening(this::devices)) {
      awaitOpened(stage);
      sort(stage);
      assertThat(stage.report().cpuRuns()).isZero();
      assertThat(stage.report().cpuReasons()).isEmpty();
    }
    assertThat(driver.kept()).isZero();
  }

  @Test
  void theCpuGoesOnWhereThereIsNone() throws Exception {
    leave.countDown();
    KeySorter cpu = new RadixKeySorter();
    try (SortStage stage = opening(() -> new CpuSortStage(cpu, "the driver says no"))) {
      awaitOpened(stage);
      assertThat(stage.isAside()).isFalse();
      sort(stage);
      assertThat(stage.report().cpuReasons()).containsOnlyKeys("the driver says no");
    }
  }

  @Test
  void aFailureThatNobodyExpectsIsAReasonToo() throws Exception {
    Supplier<SortStage> failing =
        () -> {
          Uninterruptibles.awaitUninterruptibly(leave);
          throw new IllegalStateException("for the test");
        };
    try (SortStage stage = opening(failing)) {
      sort(stage);
      leave.countDown();
      awaitOpened(stage);
      sort(stage);
      SortReport report = stage.report();
      assertThat(report.cpuRuns()).isEqualTo(2);
      assertThat(report.cpuReasons())
          .containsEntry(OpeningSortStage.NOT_OPEN, 1L)
          .containsEntry(
              "devices cannot be opened: java.lang.IllegalStateException: for the test", 1L);
    }
  }

  @Test
  void whatIsOpenedAtTheEndIsWaitedForAndClosed() throws Exception {
    SortStage stage = opening(this::devices);
    sort(stage);
    AtomicBoolean interrupted = new AtomicBoolean();
    Thread closing =
        new Thread(
            () -> {
              stage.close();
              interrupted.set(Thread.currentThread().isInterrupted());
            });
    closing.start();
    awaitWaiting(closing);
    closing.interrupt();
    while (closing.isInterrupted()) {
      Thread.sleep(1);
    }
    awaitWaiting(closing);
    leave.countDown();
    closing.join();
    assertThat(interrupted).isTrue();
    assertThat(driver.calls("cuDevicePrimaryCtxRetain")).isEqualTo(1);
    assertThat(driver.calls("cuDevicePrimaryCtxRelease")).isEqualTo(1);
    assertThat(driver.kept()).isZero();
  }

  @Test
  void whatIsOpenedAfterTheEndIsClosedAtOnce() throws Exception {
    SortStage stage =
        new OpeningSortStage(this::devices, new RadixKeySorter(), Duration.ofMillis(20));
    stage.close();
    assertThat(driver.calls("cuDevicePrimaryCtxRetain")).isZero();
    leave.countDown();
    awaitOpened(stage);
    assertThat(driver.calls("cuDevicePrimaryCtxRelease")).isEqualTo(1);
    assertThat(driver.kept()).isZero();
  }

  @Test
  void whoListensLaterIsToldToo() throws Exception {
    leave.countDown();
    try (SortStage stage = opening(this::devices)) {
      awaitOpened(stage);
      stage.observe((upload, sort, held, download, end) -> listened.incrementAndGet());
      sort(stage);
      assertThat(listened).hasValue(1);
    }
  }

  @Test
  void whatIsInTheWayIsKnownWithoutTheDriver() {
    String obstacle = GpuProbe.obstacle();
    if (obstacle.isEmpty()) {
      try (SortStage stage = SortStages.open(DeviceChoice.AUTO)) {
        assertThat(stage).isInstanceOf(OpeningSortStage.class);
      }
    } else {
      assertThat(GpuProbe.look().reason()).isEqualTo(obstacle);
      try (SortStage stage = SortStages.open(DeviceChoice.AUTO)) {
        assertThat(stage.isAside()).isFalse();
        assertThat(stage.report().cpuReasons()).containsOnlyKeys(obstacle);
      }
    }
  }

  private static void awaitWaiting(Thread thread) throws InterruptedException {
    while (thread.getState() != Thread.State.TIMED_WAITING) {
      Thread.sleep(1);
    }
  }

  private static SortStage opening(Supplier<SortStage> stage) {
    return new OpeningSortStage(stage, new RadixKeySorter());
  }

  private SortStage devices() {
    Uninterruptibles.awaitUninterruptibly(leave);
    return new GpuSortStage(
        driver.probe().devices(), StubDriver.image(), SMALL, new RadixKeySorter());
  }

  private static void awaitOpened(SortStage stage) throws InterruptedException {
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().equals("gpu-open")) {
        thread.join();
      }
    }
    assertThat(stage).extracting("opened").isNotNull();
  }

  private static void sort(SortStage stage) throws InterruptedException {
    try (Arena arena = Arena.ofShared()) {
      int count = 1000;
      long bytes = 8L * count;
      MemorySegment memory = OffHeap.allocatePages(2 * bytes, arena);
      MemorySegment keys = memory.asSlice(0, bytes);
      for (int i = 0; i < count; i++) {
        keys.setAtIndex(ValueLayout.JAVA_LONG, i, count - i);
      }
      KeyOrder.Job job = new KeyOrder.Job(keys, memory.asSlice(bytes), count, 0, 10);
      OrderedKeys sorted = stage.submit(job).await();
      for (int i = 0; i < count; i++) {
        assertThat(sorted.keys().getAtIndex(ValueLayout.JAVA_LONG, i)).isEqualTo(i + 1);
      }
      assertThat(stage.release(memory)).isTrue();
    }
  }
}
