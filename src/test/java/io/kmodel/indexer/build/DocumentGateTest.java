package io.kmodel.indexer.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DocumentGateTest {
  private static final long MEBIBYTE = 1 << 20;

  @Test
  void documentsWithinTheSharePassSideBySide() throws InterruptedException {
    DocumentGate gate = new DocumentGate(100 * MEBIBYTE, 4);
    DocumentGate.Lane one = gate.lane();
    DocumentGate.Lane two = gate.lane();
    assertThat(one.freeBytes()).isEqualTo(100 * MEBIBYTE / 8);
    assertThat(one.reserve(one.freeBytes())).isTrue();
    assertThat(two.reserve(two.freeBytes())).isTrue();
  }

  @Test
  void aSecondLargeDocumentWaitsForTheFirst() throws InterruptedException {
    DocumentGate gate = new DocumentGate(100 * MEBIBYTE, 2);
    DocumentGate.Lane first = gate.lane();
    assertThat(first.reserve(40 * MEBIBYTE)).isTrue();
    CountDownLatch entered = new CountDownLatch(1);
    Thread second =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    DocumentGate.Lane lane = gate.lane();
                    if (lane.reserve(30 * MEBIBYTE)) {
                      entered.countDown();
                      lane.leave();
                    }
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                });
    assertThat(entered.await(50, TimeUnit.MILLISECONDS)).isFalse();
    first.leave();
    assertThat(entered.await(10, TimeUnit.SECONDS)).isTrue();
    second.join();
  }

  @Test
  void aLargeDocumentMayGrowWithoutWaitingForItself() throws InterruptedException {
    DocumentGate.Lane lane = new DocumentGate(100 * MEBIBYTE, 2).lane();
    assertThat(lane.reserve(30 * MEBIBYTE)).isTrue();
    assertThat(lane.reserve(50 * MEBIBYTE)).isTrue();
    assertThat(lane.reserve(51 * MEBIBYTE)).isFalse();
  }

  @Test
  void whatFitsNowhereIsRefusedAtOnce() throws InterruptedException {
    DocumentGate gate = new DocumentGate(100 * MEBIBYTE, 2);
    assertThat(gate.lane().reserve(gate.lane().largestBytes())).isTrue();
    assertThat(gate.lane().reserve(gate.lane().largestBytes() + 1)).isFalse();
  }
}
