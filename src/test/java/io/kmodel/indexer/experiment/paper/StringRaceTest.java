package io.kmodel.indexer.experiment.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.experiment.RaceDevice;
import io.kmodel.indexer.experiment.strings.StringSource;
import io.kmodel.indexer.gpu.GpuException;
import io.kmodel.indexer.gpu.StubDriver;
import io.kmodel.indexer.gpu.StubDriverExtension;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Races of strings, by the driver on the CPU. */
@Tag("alone")
@ExtendWith(StubDriverExtension.class)
@ResourceLock(StubDriver.LOCK)
class StringRaceTest {
  @TempDir Path nothing;

  private final StubDriver driver;

  StringRaceTest(StubDriver driver) {
    this.driver = driver;
  }

  private List<StringRace.Measurement> race(int count) throws IOException {
    RaceDevice device = new RaceDevice(driver.probe().devices().getFirst(), StubDriver.image());
    PaperSetting setting = new PaperSetting(1, count, 2, 1, 3, List.of(device));
    return new StringRace(setting, device, line -> {})
        .run(StringSource.all(nothing).getFirst(), count);
  }

  @Test
  void everySorterHasATimeForEachRound() throws IOException {
    List<StringRace.Measurement> measurements = race(1500);
    assertThat(measurements)
        .extracting(StringRace.Measurement::sorter)
        .containsExactly(
            "GPU, ties in comparisons", "GPU, in rounds", "CPU, 1 thread", "CPU, 3 threads");
    assertThat(measurements)
        .allSatisfy(
            measurement -> {
              assertThat(measurement.seconds()).hasSize(2);
              assertThat(measurement.seconds()).allMatch(s -> s.withCopies() >= s.sort());
              assertThat(measurement.meanBytes()).isBetween(5.0, 20.0);
            });
    assertThat(driver.kept()).isZero();
  }

  @Test
  void aDeviceWithTooLittleMemoryEndsTheRace() {
    driver.reset(1, 10_000);
    assertThatThrownBy(() -> race(1500))
        .isInstanceOf(GpuException.class)
        .hasMessageContaining("OUT_OF_MEMORY");
    assertThat(driver.kept()).isZero();
  }

  @Test
  void anOrderThatIsDamagedOnItsWayBackEndsTheRace() {
    driver.damage();
    assertThatThrownBy(() -> race(1500))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageMatching("GPU, .* left strings out of order at place \\d+ of 1500");
    assertThat(driver.kept()).isZero();
  }
}
