package io.kmodel.indexer.sort;

import static io.kmodel.indexer.sort.SortJobs.assertAllSorted;
import static io.kmodel.indexer.sort.SortJobs.assertSorts;
import static io.kmodel.indexer.sort.SortJobs.copy;
import static io.kmodel.indexer.sort.SortJobs.draw;
import static io.kmodel.indexer.sort.SortJobs.inOrder;
import static io.kmodel.indexer.sort.SortJobs.job;
import static io.kmodel.indexer.sort.SortJobs.sortAll;
import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.gpu.StubDriver;
import io.kmodel.indexer.gpu.StubDriverExtension;
import io.kmodel.indexer.memory.OffHeap;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The GPU stage with a device that hangs, on a stub driver. */
@Tag("alone")
@ExtendWith(StubDriverExtension.class)
@ResourceLock(StubDriver.LOCK)
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
      KeyOrder.Job job = job(memory, keys);
      OrderedKeys sorted = stage.submit(job).await();
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
      // No thread waits for a job, so the hang has not been noticed yet.
      driver.hang(0);
      assertThat(release(stage, first)).isFalse();
      assertThat(release(stage, second)).isFalse();
      assertThat(driver.calls("cuMemHostUnregister")).as("asked once").isEqualTo(1);
      assertSorts(stage, keys, "later");
    }
  }

  /** The driver pins nothing while memory is unpinned, and that waits for the device. */
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
      KeyOrder.Job job = job(OffHeap.allocatePages(16 * 1000, arena), keys);
      KeyOrder.Ticket third = stage.submit(job);
      awaitCalls("cuMemHostRegister", pins + 1);
      assertThat(release(stage, second)).isFalse();
      assertThat(released.get(20, TimeUnit.SECONDS)).isFalse();
      assertThat(copy(third.await().keys(), 1000)).isEqualTo(inOrder(keys));
      assertThat(release(stage, job.scratch())).as("may be pinned yet").isFalse();
      assertSorts(stage, keys, "later");
    }
  }

  @Test
  void anInterruptNeitherEndsAWaitNorIsLost() throws Exception {
    try (GpuSortStage stage = impatient();
        Arena arena = Arena.ofShared()) {
      long[] keys = draw("uniform", 1000, 3);
      MemorySegment earlier = used(stage, keys, arena);
      driver.hang(0);
      KeyOrder.Ticket ticket = stage.submit(job(OffHeap.allocatePages(16 * 1000, arena), keys));
      Thread.currentThread().interrupt();
      ticket.settle();
      assertThat(Thread.interrupted()).isTrue();
      assertThat(release(stage, earlier)).isFalse();
      assertThat(driver.calls("cuMemHostUnregister")).as("it is known by now").isZero();
    }
  }

  @Test
  void anInterruptDoesNotEndTheWaitForMemoryAndIsNotLost() throws Exception {
    try (GpuSortStage stage = impatient();
        Arena arena = Arena.ofShared()) {
      MemorySegment memory = used(stage, draw("uniform", 1000, 3), arena);
      driver.hang(0);
      Thread.currentThread().interrupt();
      assertThat(stage.release(memory)).isFalse();
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void whereOneDeviceIsLostTheOthersGetNoMoreJobs() throws Exception {
    driver.reset(2, 64 << 20);
    try (GpuSortStage stage = impatient()) {
      driver.hang(0);
      assertSorts(stage, draw("uniform", 1000, 1), "after a wait");
      assertSorts(stage, draw("uniform", 1000, 2), "at once");
      assertThat(stage.report().cpuReasons())
          .hasSize(2)
          .containsEntry("a device does not respond", 1L);
    }
  }

  /** They cannot unpin memory that was pinned for it. */
  @Test
  void whereADeviceIsLostThreadsKeepTheirBuffersThoughOthersWereGivenUp() throws Exception {
    driver.reset(2, 64 << 20);
    try (GpuSortStage stage = impatient()) {
      for (int i = 0; i < 3; i++) {
        driver.fail("cuLaunchKernel", 2, 2, StubDriver.LAUNCH_FAILED);
        assertSorts(stage, draw("uniform", 20, i), "by the first device");
        assertSorts(stage, draw("uniform", 20, i), "by the CPU, since the second fails");
      }
      driver.hang(0);
      assertSorts(stage, draw("uniform", 20, 4), "the first one's last job");
      assertThat(stage.isAside()).isTrue();
    }
  }

  @Test
  void aLostDeviceIsToldNothingMore() throws Exception {
    try (GpuSortStage stage = impatient()) {
      driver.hang(0);
      List<long[]> jobs = new ArrayList<>();
      for (int i = 0; i < 3 * SortDevice.LANES; i++) {
        jobs.add(draw("uniform", 1000, i));
      }
      assertAllSorted(jobs, sortAll(stage, jobs));
      assertThat(driver.calls("cuMemcpyHtoDAsync"))
          .as("one of each lane at most, not those that waited")
          .isLessThanOrEqualTo(SortDevice.LANES);
    }
    for (String call :
        List.of("cuMemFree", "cuStreamDestroy", "cuModuleUnload", "cuDevicePrimaryCtxRelease")) {
      assertThat(driver.calls(call)).as(call).isZero();
    }
  }

  @Test
  void aJobThatWaitsForManyOthersDoesNotMakeADeviceLost() throws Exception {
    Duration patience = Duration.ofSeconds(2);
    try (GpuSortStage stage = stage(patience);
        Arena arena = Arena.ofShared()) {
      long[] keys = draw("uniform", 500, 1);
      assertSorts(stage, keys, "the first one");
      long start = System.nanoTime();
      assertSorts(stage, keys, "one alone");
      long enough = 1 + 2 * patience.toNanos() / (System.nanoTime() - start);
      List<KeyOrder.Ticket> tickets = new ArrayList<>();
      for (int i = 0; i < enough; i++) {
        tickets.add(stage.submit(job(OffHeap.allocatePages(16L * keys.length, arena), keys)));
      }
      tickets.getLast().await();
      tickets.forEach(KeyOrder.Ticket::settle);
      assertThat(stage.report().cpuReasons()).isEmpty();
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

  /** Fails if the call does not return; no interrupt would end it. */
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
