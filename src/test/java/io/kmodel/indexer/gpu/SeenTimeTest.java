package io.kmodel.indexer.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SeenTimeTest {
  private static final long SECOND = 1_000_000_000;

  private final AtomicLong clock = new AtomicLong(17);
  private final SeenTime time = new SeenTime(clock::get);

  @Test
  void ofTheTimeInWhichNobodyLooksASecondCounts() {
    assertThat(later(0)).isZero();
    assertThat(later(SECOND / 10)).isEqualTo(SECOND / 10);
    assertThat(later(124 * SECOND)).isEqualTo(SECOND / 10 + SECOND);
    assertThat(later(SECOND)).isEqualTo(SECOND / 10 + 2 * SECOND);
  }

  @Test
  void itBeginsAgain() {
    assertThat(later(SECOND)).isEqualTo(SECOND);
    clock.addAndGet(SECOND / 2);
    time.restart();
    assertThat(later(3)).isEqualTo(3);
  }

  private long later(long nanos) {
    clock.addAndGet(nanos);
    return time.look();
  }
}
