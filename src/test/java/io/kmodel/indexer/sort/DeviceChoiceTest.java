package io.kmodel.indexer.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.gpu.GpuInfo;
import io.kmodel.indexer.gpu.GpuProbe;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceChoiceTest {
  @ParameterizedTest
  @ValueSource(strings = {"auto", "cpu", "gpu", "gpu:0", "gpu:2,0"})
  void aChoiceIsReadAsItIsWritten(String text) {
    assertThat(DeviceChoice.parse(text)).hasToString(text);
  }

  @Test
  void namedDevicesKeepTheirOrder() {
    assertThat(DeviceChoice.parse("gpu:2,0").ordinals()).isEqualTo(List.of(2, 0));
  }

  @Test
  void aDeviceThatIsTooOldIsNotSaidToBeMissing() {
    GpuInfo old = new GpuInfo(0, "T4", 16L << 30, 75);
    GpuInfo able = new GpuInfo(1, "A100", 40L << 30, 80);
    GpuProbe probe = new GpuProbe(List.of(able), List.of(old), "");
    assertThat(DeviceChoice.parse("gpu:1,1").among(probe)).containsExactly(able);
    assertThat(DeviceChoice.parse("gpu").among(probe)).containsExactly(able);
    assertThatThrownBy(() -> DeviceChoice.parse("gpu:1,0").among(probe))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("compute capability 8.0 is needed; gpu:0 (T4) has 7.5");
    assertThatThrownBy(() -> DeviceChoice.parse("gpu:2").among(probe))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("there is no gpu:2; there are [gpu:1 (A100)]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "GPU0", "gpu:", "gpu:a", "gpu:1,", "gpu:-1", "gpu:1000", "tpu"})
  void whatIsNoDeviceIsExplained(String text) {
    assertThatThrownBy(() -> DeviceChoice.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "unknown device '" + text + "'; use auto, cpu, gpu, or gpu:0,2 for particular GPUs");
  }
}
