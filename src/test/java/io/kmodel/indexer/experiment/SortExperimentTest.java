package io.kmodel.indexer.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.gpu.StubDriver;
import io.kmodel.indexer.gpu.StubDriverExtension;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The stream of runs, on a driver that is the CPU. */
@ExtendWith(StubDriverExtension.class)
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
        .hasMessageContaining("the device has done 43 of 44 runs");
    assertThat(told).isEmpty();
    assertThat(driver.kept()).isZero();
  }

  @Test
  void aStreamOfRunsThatAreTooLargeIsLeftOut() throws InterruptedException {
    driver.reset(1, 2 * 4 * 8 * 1000);
    timeStream(1001);
    assertThat(told)
        .containsExactly(
            "gpu:0, up, sorted and back         left out: a run may have 1,000 keys here,"
                + " for four at a time");
    assertThat(driver.kept()).isZero();
  }

  private void timeStream(long keys) throws InterruptedException {
    new SortExperiment(keys, Distribution.UNIFORM, 1, told::add)
        .timeStream(driver.probe().devices().getFirst(), StubDriver.image(), 1e9);
  }
}
