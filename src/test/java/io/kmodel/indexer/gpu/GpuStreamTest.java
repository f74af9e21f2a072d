package io.kmodel.indexer.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** How long a stream is waited for. */
@ExtendWith(StubDriverExtension.class)
class GpuStreamTest {
  private static final int NOT_READY = 600;
  private static final Duration NONE = Duration.ofNanos(-1);

  private final StubDriver driver;

  GpuStreamTest(StubDriver driver) {
    this.driver = driver;
  }

  @Test
  void whatHasEndedWhenTheLimitIsNoticedHasEndedInTime() {
    GpuInfo info = driver.probe().devices().getFirst();
    try (GpuDevice device = new GpuDevice(info, StubDriver.image(), List.of());
        GpuStream stream = device.newStream()) {
      driver.fail("cuStreamQuery", 1, 1, NOT_READY);
      assertThat(stream.await(NONE)).isTrue();
      driver.fail("cuStreamQuery", 1, 2, NOT_READY);
      assertThat(stream.await(NONE)).isFalse();
    }
  }
}
