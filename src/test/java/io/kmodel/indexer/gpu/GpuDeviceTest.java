package io.kmodel.indexer.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The driver's description of devices, and what is released if a call fails. */
@ExtendWith(StubDriverExtension.class)
@ResourceLock(StubDriver.LOCK)
class GpuDeviceTest {
  private static final GpuKernel KERNEL = new GpuKernel("sort_blocks_f64_5", 8, 320);

  private final StubDriver driver;

  GpuDeviceTest(StubDriver driver) {
    this.driver = driver;
  }

  @Test
  void aDeviceIsAsTheDriverDescribesIt() {
    driver.reset(2, 64 << 20);
    assertThat(driver.probe().devices())
        .containsExactly(
            new GpuInfo(0, "CPU in place of a GPU, number 0", 64 << 20, 90),
            new GpuInfo(1, "CPU in place of a GPU, number 1", 64 << 20, 90));
  }

  @Test
  void aDriverThatDoesNotBeginIsAReason() {
    driver.fail("cuInit", 1, 1, StubDriver.LAUNCH_FAILED);
    GpuProbe probe = driver.probe();
    assertThat(probe.isAvailable()).isFalse();
    assertThat(probe.reason()).isEqualTo("the driver says cuInit: CUDA_ERROR_LAUNCH_FAILED (719)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cuCtxSetCurrent",
        "cuModuleLoadData",
        "cuModuleGetFunction",
        "cuFuncSetAttribute"
      })
  void whatCannotBePreparedIsGivenBack(String call) {
    GpuInfo info = driver.probe().devices().getFirst();
    driver.fail(call, 1, 1, StubDriver.LAUNCH_FAILED);
    assertThatThrownBy(() -> new GpuDevice(info, StubDriver.image(), List.of(KERNEL)))
        .isInstanceOf(GpuException.class)
        .hasMessageStartingWith(call);
    assertThat(driver.calls("cuDevicePrimaryCtxRetain")).isEqualTo(1);
    assertThat(driver.kept()).isZero();
  }

  @Test
  void aDeviceIsGivenBackThoughItsKernelsAreNot() {
    GpuDevice device = device();
    driver.fail("cuModuleUnload", 1, 1, StubDriver.LAUNCH_FAILED);
    assertThatThrownBy(device::close).hasMessageStartingWith("cuModuleUnload");
    assertThat(driver.kept()).isZero();
  }

  @Test
  void memoryThatADeviceDoesNotHaveIsNamed() {
    try (GpuDevice device = device()) {
      assertThatThrownBy(() -> device.allocate(1 << 30))
          .isInstanceOf(GpuException.class)
          .hasMessage("cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY (2), 1,073,741,824 bytes")
          .extracting("bytes", "outOfMemory")
          .containsExactly(1L << 30, true);
      assertThat(device.freeBytes(512 << 20)).isEqualTo(512 << 20);
      assertThatThrownBy(() -> device.freeBytes((512 << 20) + 1))
          .isInstanceOf(GpuException.class)
          .extracting("bytes", "outOfMemory")
          .containsExactly((512L << 20) + 1, true);
    }
  }

  @Test
  void lessMemoryIsAskedForWhereThereIsNotAsMuchAndForNoOtherReason() {
    try (GpuDevice device = device()) {
      try (GpuMemory less = device.allocate(1000, 1 << 30)) {
        assertThat(less.bytes()).isEqualTo(1000);
      }
      assertThatThrownBy(() -> device.allocate(1 << 30, 1 << 30)).isInstanceOf(GpuException.class);
      assertThat(driver.calls("cuMemAlloc")).as("the same is not asked for again").isEqualTo(3);
      driver.fail("cuMemAlloc", 1, 1, StubDriver.LAUNCH_FAILED);
      assertThatThrownBy(() -> device.allocate(1000, 2000)).isInstanceOf(GpuException.class);
      assertThat(driver.calls("cuMemAlloc")).isEqualTo(4);
    }
  }

  private GpuDevice device() {
    return new GpuDevice(driver.probe().devices().getFirst(), StubDriver.image(), List.of(KERNEL));
  }
}
