package io.kmodel.indexer.store.disk;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FreeFilesTest {
  @Test
  void whatIsOpenAlreadyIsNotFree() {
    assertThat(FreeFiles.count(64, 30)).isEqualTo(24);
    assertThat(FreeFiles.count(64, 60)).isZero();
    assertThat(FreeFiles.count(1L << 40, 60)).isGreaterThan(100_000);
  }

  @Test
  void withoutALimitThereIsEnough() {
    assertThat(FreeFiles.count(-1, 60)).isGreaterThan(100_000);
    assertThat(FreeFiles.count(0, 60)).isGreaterThan(100_000);
    assertThat(FreeFiles.count()).isPositive();
  }
}
