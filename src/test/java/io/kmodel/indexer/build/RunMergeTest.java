package io.kmodel.indexer.build;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How large the ranges are that are merged; the merge itself is tested by builds. */
class RunMergeTest {
  /** As where 513 documents with runs of their own lie between others. */
  @ParameterizedTest
  @CsvSource({
    "0, 256",
    "1, 256",
    "100, 25600",
    "1023, 261888",
    "1024, 262144",
    "1025, 262144",
    "1040, 262144",
    "2147483647, 262144"
  })
  void moreThan1024RunsHaveNoMoreInARangeThanThereMayBe(int runs, long kibibytes) {
    assertThat(RunMerge.rangeBytes(2, 0, runs)).isEqualTo(kibibytes << 10);
  }

  @ParameterizedTest
  @CsvSource({"1, 16384", "2, 8192", "16, 1024"})
  void aRangeHasRoomInTheMemoryForParts(int threads, long kibibytes) {
    assertThat(RunMerge.rangeBytes(threads, 64 << 20, 1)).isEqualTo(kibibytes << 10);
  }
}
