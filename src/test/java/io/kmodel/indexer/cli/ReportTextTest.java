package io.kmodel.indexer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.build.BuildReport;
import io.kmodel.indexer.sort.SortReport;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What a build's report says of who has sorted. */
class ReportTextTest {
  private static final SortReport.Device DEVICE = new SortReport.Device("gpu:0", 5, 50, 1, 1, 1);
  private static final String FAILED = "gpu:1 cannot be used: cuModuleLoadData: failed";

  @Test
  void aDeviceThatCouldNotBeOpenedIsNamedThoughTheCpuHasSortedNothing() {
    assertThat(linesBehindTheDevices(List.of(DEVICE), Map.of(FAILED, 0L)))
        .containsExactly("  sort           " + FAILED);
  }

  @Test
  void eachReasonHasItsNumberOfRunsAndNoneIsBlamedForThoseOfAnother() {
    Map<String, Long> reasons = Map.of(FAILED, 0L, "larger than a lane of gpu:0", 1L);
    assertThat(linesBehindTheDevices(List.of(DEVICE), reasons))
        .containsExactly(
            "  sort           1 run on the CPU: larger than a lane of gpu:0",
            "  sort           " + FAILED);
    assertThat(linesBehindTheDevices(List.of(DEVICE), Map.of("a", 1200L, "b", 3L, "c", 0L)))
        .containsExactly(
            "  sort           1,203 runs on the CPU: 1,200 a; 3 b", "  sort           c");
  }

  @Test
  void whereNothingWasSortedNothingIsSaid() {
    assertThat(linesBehindTheDevices(List.of(), Map.of("asked to", 0L))).isEmpty();
    assertThat(linesBehindTheDevices(List.of(), Map.of("asked to", 2L)))
        .containsExactly("  sort           2 runs on the CPU: asked to");
  }

  private static List<String> linesBehindTheDevices(
      List<SortReport.Device> devices, Map<String, Long> reasons) {
    long runs = reasons.values().stream().mapToLong(Long::longValue).sum();
    SortReport stage = new SortReport(devices, runs, new TreeMap<>(reasons), 0);
    StringBuilder text = new StringBuilder();
    try (Formatter out = new Formatter(text, Locale.ROOT)) {
      ReportText.sorting(new BuildReport.Sorting("gpu", "serial", 0, stage), out);
    }
    return text.toString().lines().skip(devices.size()).toList();
  }
}
