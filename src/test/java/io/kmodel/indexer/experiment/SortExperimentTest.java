package io.kmodel.indexer.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.gpu.GpuException;
import io.kmodel.indexer.gpu.GpuInfo;
import io.kmodel.indexer.gpu.StubDriver;
import io.kmodel.indexer.gpu.StubDriverExtension;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The network on a device, and the stream of runs, on a driver that is the CPU. */
@Tag("alone")
@ExtendWith(StubDriverExtension.class)
@ResourceLock(StubDriver.LOCK)
@Timeout(300)
class SortExperimentTest {
  private final List<String> told = new ArrayList<>();
  private final StubDriver driver;

  SortExperimentTest(StubDriver driver) {
    this.driver = driver;
  }

  @Test
  void aStreamThatTheDeviceHasSortedIsTold() throws InterruptedException {
    timeStream(1000);
    assertThat(told).hasSize(1);
    assertThat(told.getFirst()).startsWith("gpu:0, up, sorted and back").contains(" 40 runs ");
    assertThat(driver.kept()).isZero();
  }

  /** One launch a run: that of the 20th. */
  @Test
  void aRunInTheMiddleThatTheDeviceHasNotSortedEndsTheExperiment() {
    driver.fail("cuLaunchKernel", 20, 20, StubDriver.LAUNCH_FAILED);
    assertThatThrownBy(() -> timeStream(1000))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the device completed 43 of 44 runs");
    assertThat(told).isEmpty();
    assertThat(driver.kept()).isZero();
  }

  @Test
  void aStreamOfRunsThatAreTooLargeIsLeftOut() throws InterruptedException {
    driver.reset(1, 256 << 20);
    timeStream((1 << 22) + 1);
    assertThat(told)
        .containsExactly(
            "gpu:0, up, sorted and back         skipped: a run can have at most 4,194,304 keys"
                + " here, with four in flight");
    assertThat(driver.kept()).isZero();
  }

  @Test
  void theNetworkAndTheConnectionAreTimedAndAllIsGivenBack() {
    timeOnDevice(told::add);
    assertThat(told).hasSize(2);
    assertThat(told.getFirst()).startsWith("gpu:0, in place");
    assertThat(told.getLast()).startsWith("gpu:0, connection");
    assertThat(driver.kept()).isZero();
  }

  @Test
  void whateverCallFailsAllIsGivenBack() {
    for (String call :
        List.of("cuMemAlloc", "cuStreamCreate", "cuMemHostRegister", "cuLaunchKernel")) {
      driver.reset(1, 64 << 20);
      driver.fail(call, 1, 1, StubDriver.LAUNCH_FAILED);
      assertThatThrownBy(() -> timeOnDevice(told::add)).isInstanceOf(GpuException.class);
      assertThat(driver.kept()).as(call).isZero();
    }
  }

  @Test
  void aDeviceWithoutMemoryForTheKeysIsLeftOutAndTheOthersAreTimed()
      throws IOException, InterruptedException {
    driver.reset(2, 512 << 20);
    driver.fail("cuMemAlloc", 1, 1, StubDriver.OUT_OF_MEMORY);
    SortExperiment experiment = new SortExperiment(1000, Distribution.UNIFORM, 1, told::add);
    List<GpuInfo> devices = driver.probe().devices();
    assertThat(experiment.runOnAll(devices, StubDriver.image()))
        .hasValueSatisfying(failure -> assertThat(failure.isOutOfMemory()).isTrue());
    experiment.runOnCpu();
    assertThat(told.get(1))
        .startsWith("gpu:0    ")
        .endsWith("skipped: cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY (2), 8,000 bytes");
    assertThat(told.get(2)).startsWith("gpu:1 (");
    assertThat(told)
        .anyMatch(line -> line.startsWith("gpu:1, up, sorted and back"))
        .anyMatch(line -> line.startsWith("cpu, radix"));
    assertThat(driver.kept()).isZero();
  }

  @Test
  void theCpuSortsNoMoreWhereItIsToldToStop() {
    SortExperiment experiment = new SortExperiment(1000, Distribution.UNIFORM, 1, told::add);
    Thread.currentThread().interrupt();
    assertThatThrownBy(experiment::runOnCpu).isInstanceOf(ClosedByInterruptException.class);
    assertThat(Thread.interrupted()).as("it stays interrupted").isTrue();
    assertThat(told).isEmpty();
  }

  @Test
  void toADeviceThatStopsToAnswerNothingMoreIsSent() {
    driver.hang(2);
    assertThatThrownBy(() -> timeOnDevice(told::add))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("gpu:0")
        .hasMessageContaining("has not answered within 0.2 s");
    for (String call :
        List.of("cuMemFree", "cuMemHostUnregister", "cuStreamDestroy", "cuModuleUnload")) {
      assertThat(driver.calls(call)).as(call).isZero();
    }
    assertThat(told).isEmpty();
  }

  /** After the last line of it, when all has been waited for. */
  @Test
  void aDeviceThatStopsToAnswerWhileMemoryIsGivenBackHoldsUpNobody() {
    Consumer<String> hanging =
        line -> {
          told.add(line);
          if (told.size() == 2) {
            driver.hang(0);
          }
        };
    assertThatThrownBy(() -> timeOnDevice(hanging))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("has not freed its memory within 0.2 s");
    assertThat(driver.calls("cuMemHostUnregister")).isEqualTo(1);
    assertThat(driver.calls("cuMemFree")).isZero();
  }

  private void timeOnDevice(Consumer<String> out) {
    new SortExperiment(1000, Distribution.UNIFORM, 1, out, Duration.ofMillis(200))
        .timeOnDevice(driver.probe().devices().getFirst(), StubDriver.image());
  }

  private void timeStream(long keys) throws InterruptedException {
    new SortExperiment(keys, Distribution.UNIFORM, 1, told::add)
        .timeStream(driver.probe().devices().getFirst(), StubDriver.image(), 1e9);
  }
}
