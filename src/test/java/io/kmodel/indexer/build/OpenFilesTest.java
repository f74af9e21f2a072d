package io.kmodel.indexer.build;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How a build divides the files that it may open. */
class OpenFilesTest {
  @Test
  void thereIsAlwaysRoomForTheLeast() {
    assertThat(OpenFiles.parsers(0, 16)).isEqualTo(1);
    assertThat(OpenFiles.runs(0, 512)).isEqualTo(2);
    assertThat(OpenFiles.ranges(0, 32)).isEqualTo(1);
  }

  @Test
  void manyFilesGiveAllThatIsWanted() {
    assertThat(OpenFiles.parsers(1000, 16)).isEqualTo(16);
    assertThat(OpenFiles.runs(2000, 512)).isEqualTo(512);
    assertThat(OpenFiles.ranges(1000, 32)).isEqualTo(32);
    assertThat(OpenFiles.parsers(32, 16)).isEqualTo(4);
    assertThat(OpenFiles.parsers(OpenFiles.besideDevice(32), 16)).isEqualTo(1);
    assertThat(OpenFiles.parsers(OpenFiles.besideDevice(112), 16)).isEqualTo(6);
  }

  @Test
  void fewAreNotManyEvenForOneThread() {
    assertThat(OpenFiles.areMany(1000, 16)).isTrue();
    assertThat(OpenFiles.areMany(191, 16)).isFalse();
    assertThat(OpenFiles.areMany(192, 16)).isTrue();
    assertThat(OpenFiles.areMany(-18, 1)).isFalse();
    assertThat(OpenFiles.areMany(24, 1)).isFalse();
  }
}
