package io.kmodel.indexer.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

  @ParameterizedTest
  @ValueSource(strings = {"", "GPU0", "gpu:", "gpu:a", "gpu:1,", "gpu:-1", "gpu:1000", "tpu"})
  void whatIsNoDeviceIsExplained(String text) {
    assertThatThrownBy(() -> DeviceChoice.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "'" + text + "' is no device; write auto, cpu, gpu, or gpu:0,2 for some of them");
  }
}
