package io.kmodel.indexer.sort;

import static io.kmodel.indexer.sort.SortJobs.assertSorts;
import static io.kmodel.indexer.sort.SortJobs.copy;
import static io.kmodel.indexer.sort.SortJobs.draw;
import static io.kmodel.indexer.sort.SortJobs.inOrder;
import static io.kmodel.indexer.sort.SortJobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.gpu.StubDriver;
import io.kmodel.indexer.gpu.StubDriverExtension;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The GPU's sort stage where a device stops to answer, on a driver that is the CPU. */
@ExtendWith(StubDriverExtension.class)
@Timeout(300)
class UnansweringDeviceTest {
  private static final KernelShape SMALL = new KernelShape("f64_5", 5, 2, 2);

  private final StubDriver driver;

  UnansweringDeviceTest(StubDriver driver) {
    this.driver = driver;
  }

  @Test
  void aDeviceThatStopsToAnswerHoldsUpNobodyAndItsMemoryStays() throws Exception {
    try (GpuSortStage stage = impatient();
        Arena arena = Arena.ofShared()) {
      long[] keys = draw("uniform", 1000, 3);
      MemorySegment earlier = used(stage, keys, arena);
      driver.hang(3);
      MemorySegment memory = OffHeap.allocatePages(16 * 1000, arena);
      SortStage.Job job = job(memory, keys);
      SortStage.Sorted sorted = stage.submit(job).await();
      assertThat(copy(sorted.keys(), 1000)).isEqualTo(inOrder(keys));
      assertThat(sorted.scratch().address()).isNotEqualTo(job.scratch().address());
      assertThat(release(stage, memory)).as("a device may still write to it").isFalse();
      assertThat(release(stage, earlier)).as("the driver would wait for the device").isFalse();
      assertThat(driver.calls("cuMemHostUnregister")).isZero();
      assertThat(release(stage, OffHeap.allocatePages(16, arena))).as("never pinned").isTrue();
      assertSorts(stage, keys, "later");
      assertThat(stage.report().cpuRuns()).isEqualTo(2);
    }
  }

  @Test
  void aDeviceThatStopsToAnswerWhileMemoryIsGivenBackHoldsUpNobody() throws Exception {
    try (GpuSortStage stage = impatient();
        Arena arena = Arena.ofShared()) {
      long[] keys = draw("uniform", 1000, 3);
      MemorySegment first = used(stage, keys, arena);
      MemorySegment second = used(stage, keys, arena);
      // Nobody waits for a job, so nobody knows yet.
      driver.hang(0);
      assertThat(release(stage, first)).isFalse();
      assertThat(release(stage, second)).isFalse();
      assertSorts(stage, keys, "later");
    }
  }

  /** The driver pins nothing more while memory is given back, and that waits for the device. */
  @Test
  void aDeviceThatStopsToAnswerWhileMemoryIsPinnedHoldsUpNobody() throws Exception {
    try (GpuSortStage stage = stage(Duration.ofMillis(500));
        Arena arena = Arena.ofShared()) {
      long[] keys = draw("uniform", 1000, 3);
      MemorySegment first = used(stage, keys, arena);
      MemorySegment second = used(stage, keys, arena);
      driver.hang(0);
      CompletableFuture<Boolean> released =
          CompletableFuture.supplyAsync(() -> stage.release(first));
      awaitCalls("cuMemHostUnregister", 1);
      int pins = driver.calls("cuMemHostRegister");
      SortStage.Ticket third = stage.submit(job(OffHeap.allocatePages(16 * 1000, arena), keys));
      awaitCalls("cuMemHostRegister", pins + 1);
      assertThat(release(stage, second)).isFalse();
      assertThat(released.get(20, TimeUnit.SECONDS)).isFalse();
      assertThat(copy(third.await().keys(), 1000)).isEqualTo(inOrder(keys));
      assertSorts(stage, keys, "later");
    }
  }

  /** Memory of a thousand keys that a device has sorted. */
  private static MemorySegment used(GpuSortStage stage, long[] keys, Arena arena)
      throws InterruptedException {
    MemorySegment memory = OffHeap.allocatePages(16 * 1000, arena);
    stage.submit(job(memory, keys)).await();
    return memory;
  }

  private void awaitCalls(String call, int count) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (driver.calls(call) < count) {
      assertThat(System.nanoTime()).as(call).isLessThan(deadline);
      Thread.sleep(1);
    }
  }

  /** Fails where it does not come back; no interrupt would end that. */
  private static boolean release(SortStage stage, MemorySegment memory) throws Exception {
    return CompletableFuture.supplyAsync(() -> stage.release(memory)).get(20, TimeUnit.SECONDS);
  }

  private GpuSortStage impatient() {
    return stage(Duration.ofMillis(200));
  }

  private GpuSortStage stage(Duration patience) {
    return new GpuSortStage(
        driver.probe().devices(), StubDriver.image(), SMALL, new RadixKeySorter(), patience);
  }
}
