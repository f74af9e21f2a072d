package io.kmodel.indexer.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The result of a probe, by the devices that a driver reports. */
class GpuProbeTest {
  private static final GpuInfo OLD = new GpuInfo(0, "T4", 16L << 30, 75);
  private static final GpuInfo ABLE = new GpuInfo(1, "A100", 40L << 30, 80);

  @Test
  void devicesThatAreTooOldAreKeptApart() {
    assertThat(GpuProbe.of(List.of(OLD, ABLE)))
        .isEqualTo(new GpuProbe(List.of(ABLE), List.of(OLD), ""));
  }

  @Test
  void whereAllAreTooOldTheFirstOnesAgeIsTheReason() {
    GpuProbe probe = GpuProbe.of(List.of(OLD, new GpuInfo(1, "V100", 16L << 30, 70)));
    assertThat(probe.isAvailable()).isFalse();
    assertThat(probe.reason()).isEqualTo("compute capability 8.0 is needed; gpu:0 (T4) has 7.5");
    assertThat(probe.tooOld()).hasSize(2);
    assertThat(GpuProbe.of(List.of()).reason()).isEqualTo("the driver sees no device");
  }
}
