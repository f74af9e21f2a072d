package io.kmodel.indexer.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/** How long {@link GpuStream#await} waits, and the arguments of launches. */
@ExtendWith(StubDriverExtension.class)
@ResourceLock(StubDriver.LOCK)
class GpuStreamTest {
  private static final int NOT_READY = 600;
  private static final Duration NONE = Duration.ofNanos(-1);

  private final StubDriver driver;

  GpuStreamTest(StubDriver driver) {
    this.driver = driver;
  }

  @Test
  void whatHasEndedWhenTheLimitIsNoticedHasEndedInTime() {
    try (GpuDevice device = device();
        GpuStream stream = device.newStream()) {
      driver.fail("cuStreamQuery", 1, 1, NOT_READY);
      assertThat(stream.await(NONE)).isTrue();
      driver.fail("cuStreamQuery", 1, 2, NOT_READY);
      assertThat(stream.await(NONE)).isFalse();
      driver.fail("cuStreamQuery", 1, 2, NOT_READY);
      assertThat(stream.spin(NONE)).isFalse();
      driver.fail("cuStreamQuery", 1, 50, NOT_READY);
      assertThat(stream.spin(Duration.ofSeconds(20))).isTrue();
    }
  }

  @Test
  void aMarkThatWasNotSetYetIsNotWaitedFor() {
    try (GpuDevice device = device();
        GpuStream stream = device.newStream();
        GpuStream other = device.newStream()) {
      stream.waitFor(other, 0);
      assertThat(other.mark()).isZero();
      stream.waitFor(other, 1);
      assertThat(driver.calls("cuStreamWaitEvent")).isZero();
      stream.waitFor(other, 0);
      assertThat(driver.calls("cuStreamWaitEvent")).isEqualTo(1);
      other.clearMarks();
      stream.waitFor(other, 0);
      assertThat(driver.calls("cuStreamWaitEvent")).isEqualTo(1);
    }
  }

  @Test
  void moreArgumentsThanAKernelMayHaveAreRefused() {
    GpuKernel kernel = new GpuKernel("sort_blocks_f64_5", 8, 320);
    try (GpuDevice device = device();
        GpuStream stream = device.newStream();
        GpuMemory memory = device.allocate(1000)) {
      assertThatThrownBy(() -> stream.launch(kernel, 1, memory, 1, 2, 3, 4, 5, 6, 7, 8))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("a kernel has at most 8 arguments");
      GpuStruct last = new GpuStruct(2);
      assertThatThrownBy(() -> stream.launchWithLast(kernel, 1, last, 1, 2, 3, 4, 5, 6, 7, 8))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("a kernel has at most 8 arguments");
    }
  }

  private GpuDevice device() {
    return new GpuDevice(driver.probe().devices().getFirst(), StubDriver.image(), List.of());
  }
}
