package io.kmodel.indexer.sort;

import static io.kmodel.indexer.sort.SortJobs.draw;
import static io.kmodel.indexer.sort.SortJobs.job;
import static io.kmodel.indexer.sort.SortJobs.sortAll;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.Uninterruptibles;
import io.kmodel.indexer.gpu.GpuDevice;
import io.kmodel.indexer.gpu.GpuInfo;
import io.kmodel.indexer.gpu.GpuStream;
import io.kmodel.indexer.gpu.StubDriver;
import io.kmodel.indexer.gpu.StubDriverExtension;
import io.kmodel.indexer.memory.OffHeap;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The lanes of a device and the times they report, on a stub driver. */
@Tag("alone")
@ExtendWith(StubDriverExtension.class)
@ResourceLock(StubDriver.LOCK)
@Timeout(300)
class SortDeviceTest {
  private static final KernelShape SMALL = new KernelShape("f64_5", 5, 2, 2);

  private record Times(long upload, long sort, long held, long download, long end) {}

  private final StubDriver driver;

  SortDeviceTest(StubDriver driver) {
    this.driver = driver;
  }

  @Test
  void theTimesOfAJobAreNoMoreThanItTookAndThoseOfTheReport() throws Exception {
    long[] keys = draw("uniform", 8000, 1);
    List<Times> told = new ArrayList<>();
    try (GpuSortStage stage = stage();
        Arena arena = Arena.ofShared()) {
      stage.observe(
          (upload, sort, held, download, end) ->
              told.add(new Times(upload, sort, held, download, end)));
      MemorySegment memory = OffHeap.allocatePages(16L * keys.length, arena);
      for (int i = 0; i < 5; i++) {
        long start = System.nanoTime();
        stage.submit(job(memory, keys)).await();
        Times last = told.getLast();
        assertThat(last.upload + last.sort + last.held + last.download)
            .isBetween(last.sort, last.end - start);
      }
      SortReport report = stage.report();
      SortReport.Device device = report.devices().getFirst();
      assertThat(device.uploadSeconds())
          .isEqualTo(told.stream().mapToLong(Times::upload).sum() / 1e9);
      assertThat(device.sortSeconds()).isEqualTo(told.stream().mapToLong(Times::sort).sum() / 1e9);
      assertThat(device.downloadSeconds())
          .isEqualTo(told.stream().mapToLong(Times::download).sum() / 1e9);
      assertThat(report.checkSeconds()).isPositive();
      assertThat(stage.release(memory)).isTrue();
    }
  }

  @Test
  void allRunsAreCountedThoseWithoutKeysToo() throws Exception {
    try (GpuSortStage stage = stage()) {
      sortAll(stage, List.of(draw("uniform", 5, 1), new long[0], draw("uniform", 1000, 1)));
      SortReport.Device device = stage.report().devices().getFirst();
      assertThat(device.runs()).isEqualTo(3);
      assertThat(device.keys()).isEqualTo(1005);
    }
  }

  /** A job's download waits for that of the previous job, its upload for that of the one before. */
  @Test
  void twoJobsComeUpAtATimeAndOneGoesBack() throws Exception {
    Semaphore done = new Semaphore(0);
    CountDownLatch goOn = new CountDownLatch(1);
    try (GpuSortStage stage = stage();
        Arena arena = Arena.ofShared()) {
      stage.observe(
          (upload, sort, held, download, end) -> {
            done.release();
            Uninterruptibles.awaitUninterruptibly(goOn);
          });
      List<KeyOrder.Ticket> tickets = new ArrayList<>();
      List<Integer> waits = new ArrayList<>();
      for (int lane = 0; lane < SortDevice.LANES; lane++) {
        MemorySegment memory = OffHeap.allocatePages(16 * 100, arena);
        tickets.add(stage.submit(job(memory, draw("uniform", 100, lane))));
        done.acquire();
        waits.add(driver.calls("cuStreamWaitEvent"));
      }
      goOn.countDown();
      tickets.forEach(KeyOrder.Ticket::settle);
      assertThat(waits).containsExactly(0, 1, 3, 5);
    }
  }

  @Test
  void whatALaneHasMadeItUsesForAllItsJobs() throws Exception {
    try (GpuSortStage stage = stage();
        Arena arena = Arena.ofShared()) {
      MemorySegment memory = OffHeap.allocatePages(16 * 1000, arena);
      for (int i = 1; i <= 20; i++) {
        stage.submit(job(memory, draw("uniform", Math.min(100 * i, 1000), i))).await();
      }
      int lanes = driver.calls("cuStreamCreate");
      assertThat(lanes).isBetween(1, SortDevice.LANES);
      assertThat(driver.calls("cuMemAlloc")).isEqualTo(lanes);
      assertThat(driver.calls("cuEventCreate")).as("two for each step").isEqualTo(6 * lanes);
      assertThat(stage.release(memory)).isTrue();
    }
    for (String thing : List.of("cuStream", "cuEvent")) {
      assertThat(driver.calls(thing + "Destroy")).isEqualTo(driver.calls(thing + "Create"));
    }
  }

  @Test
  void aLaneTakesNoMoreThanItsShareWhateverTheBufferCouldHold() throws Exception {
    long deviceBytes = 8 << 20;
    driver.reset(1, deviceBytes);
    GpuInfo info = driver.probe().devices().getFirst();
    try (GpuSortStage stage = stage();
        GpuDevice device = new GpuDevice(info, StubDriver.image(), SMALL.kernels());
        Arena arena = Arena.ofShared()) {
      MemorySegment memory = OffHeap.allocatePages(deviceBytes, arena);
      stage.submit(job(memory, draw("uniform", 1000, 1))).await();
      assertThat(device.freeBytes(0)).isEqualTo(deviceBytes - deviceBytes / 2 / SortDevice.LANES);
      assertThat(stage.release(memory)).isTrue();
      device.use();
    }
  }

  @Test
  void aDeviceMayTakeTenSecondsLongerForEachGigabyte() {
    Duration least = Duration.ofSeconds(60);
    assertThat(GpuStream.patience(least, 1000)).isEqualTo(least);
    assertThat(GpuStream.patience(least, 3_000_000_000L)).isEqualTo(Duration.ofSeconds(90));
  }

  private GpuSortStage stage() {
    return new GpuSortStage(
        driver.probe().devices(), StubDriver.image(), SMALL, new RadixKeySorter());
  }
}
