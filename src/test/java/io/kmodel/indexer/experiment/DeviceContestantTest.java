package io.kmodel.indexer.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.Thorough;
import io.kmodel.indexer.gpu.GpuException;
import io.kmodel.indexer.gpu.StubDriver;
import io.kmodel.indexer.gpu.StubDriverExtension;
import io.kmodel.indexer.sort.device.DeviceSorters;
import io.kmodel.indexer.sort.device.PairSorter;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The sorters of a GPU in races, by the driver on the CPU. */
@Tag("alone")
@ExtendWith(StubDriverExtension.class)
@ResourceLock(StubDriver.LOCK)
class DeviceContestantTest {
  private static final List<String> ALL =
      Stream.concat(DeviceSorters.names().stream(), PairSorter.names().stream())
          .map(name -> "gpu-" + name)
          .toList();

  private final StubDriver driver;

  DeviceContestantTest(StubDriver driver) {
    this.driver = driver;
  }

  private SortRace race(List<String> sorters) {
    RaceDevice device = new RaceDevice(driver.probe().devices().getFirst(), StubDriver.image());
    return new SortRace(sorters, 1, 0, 1).on(device);
  }

  /** Around the tiles of the sorters. */
  @ParameterizedTest
  @CsvSource({"1, UNIFORM", "2, UNIFORM", "2049, ZIPF", "8191, REVERSED"})
  void everySorterSortsKeysOfBothWidths(long keys, KeyDistribution distribution)
      throws IOException {
    sort(keys, distribution);
  }

  /** More keys than sample sort sorts by one block, and than a tile of radix sort has. */
  @ParameterizedTest
  @CsvSource({"70001, UNIFORM", "70000, AND_5"})
  @Thorough
  void everySorterSortsManyKeys(long keys, KeyDistribution distribution) throws IOException {
    sort(keys, distribution);
  }

  private void sort(long keys, KeyDistribution distribution) throws IOException {
    for (int bits : new int[] {32, 62}) {
      assertThat(race(ALL).run(new SortSetting(keys, bits, distribution, 1)))
          .extracting(SortMeasurement::sorter)
          .containsExactlyElementsOf(ALL);
    }
    assertThat(driver.kept()).isZero();
  }

  @Test
  void keysOfLessThan32BitsHave4BytesOnADevice() throws IOException {
    driver.reset(1, (16 << 20) + 3 * 4 * 100_000);
    race(List.of("gpu-split")).run(new SortSetting(100_000, 32, KeyDistribution.UNIFORM, 1));
    assertThatThrownBy(
            () ->
                race(List.of("gpu-split"))
                    .run(new SortSetting(4_000_000, 33, KeyDistribution.UNIFORM, 1)))
        .isInstanceOf(GpuException.class)
        .hasMessageContaining("OUT_OF_MEMORY");
    assertThat(driver.kept()).isZero();
  }

  @Test
  void aResultThatIsDamagedOnItsWayBackEndsTheRace() {
    driver.damage();
    assertThatThrownBy(
            () ->
                race(List.of("gpu-radix"))
                    .run(new SortSetting(1000, 62, KeyDistribution.UNIFORM, 1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("gpu-radix changed keys");
    assertThatThrownBy(
            () ->
                race(List.of("gpu-pairs"))
                    .run(new SortSetting(1000, 62, KeyDistribution.UNIFORM, 1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("gpu-pairs separated values from their keys or their order");
    assertThat(driver.kept()).isZero();
  }

  @Test
  void anUnknownSorterIsRefusedByName() {
    assertThatThrownBy(() -> SortContestants.requireKnown("gpu-bogo"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("unknown sorter 'bogo' of a GPU; available: network, radix, ");
  }
}
