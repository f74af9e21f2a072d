package io.kmodel.indexer.indexing.options;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.index.PostingsPart;
import org.junit.jupiter.api.Test;

/** How a build divides the files that it may open. */
class FileLimitsTest {
  @Test
  void thereIsAlwaysRoomForTheLeast() {
    assertThat(FileLimits.parsers(0, 16)).isEqualTo(1);
    assertThat(FileLimits.runs(0, 512)).isEqualTo(2);
    assertThat(FileLimits.ranges(0, 32)).isEqualTo(1);
  }

  @Test
  void manyFilesGiveAllThatIsWanted() {
    assertThat(FileLimits.parsers(1000, 16)).isEqualTo(16);
    assertThat(FileLimits.runs(2000, 512)).isEqualTo(512);
    assertThat(FileLimits.ranges(1000, 32)).isEqualTo(32);
    assertThat(FileLimits.parsers(32, 16)).isEqualTo(3);
    assertThat(FileLimits.parsers(FileLimits.besideDevice(32), 16)).isEqualTo(1);
    assertThat(FileLimits.parsers(FileLimits.besideDevice(112), 16)).isEqualTo(5);
  }

  @Test
  void fewAreNotManyEvenForOneThread() {
    assertThat(FileLimits.areMany(1000, 16)).isTrue();
    assertThat(FileLimits.areMany(207, 16)).isFalse();
    assertThat(FileLimits.areMany(208, 16)).isTrue();
    assertThat(FileLimits.areMany(-18, 1)).isFalse();
    assertThat(FileLimits.areMany(24, 1)).isFalse();
  }

  @Test
  void halfOfTheFilesAreForRunsAndARangeTakesItsPartsFiles() {
    assertThat(FileLimits.runs(100, 512)).isEqualTo(50);
    assertThat(FileLimits.runs(5, 512)).isEqualTo(2);
    assertThat(FileLimits.ranges(10 * PostingsPart.FILES, 32)).isEqualTo(10);
    assertThat(FileLimits.ranges(10 * PostingsPart.FILES - 1, 32)).isEqualTo(9);
  }
}
