package io.kmodel.indexer.build;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.source.ContentType;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DocumentGateTest {
  private static final int MEBIBYTE = 1 << 20;

  @Test
  void smallDocumentsPassWithoutAsking() throws InterruptedException {
    DocumentGate gate = new DocumentGate(MEBIBYTE);
    assertThat(gate.enter(ContentType.HTML, 10_000)).isZero();
  }

  @Test
  void aDocumentThatNeedsTheRoomOfAnotherWaitsForIt() throws InterruptedException {
    DocumentGate gate = new DocumentGate(100L * MEBIBYTE);
    int first = gate.enter(ContentType.HTML, 3 * MEBIBYTE);
    assertThat(first).isPositive();
    CountDownLatch entered = new CountDownLatch(1);
    Thread second =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    gate.leave(gate.enter(ContentType.HTML, 2 * MEBIBYTE));
                    entered.countDown();
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                });
    assertThat(entered.await(50, TimeUnit.MILLISECONDS)).isFalse();
    gate.leave(first);
    assertThat(entered.await(10, TimeUnit.SECONDS)).isTrue();
    second.join();
  }

  @Test
  void theLargestDocumentThatItNamesGetsThrough() throws InterruptedException {
    DocumentGate gate = new DocumentGate(100L * MEBIBYTE);
    for (ContentType type : ContentType.values()) {
      int entered = gate.enter(type, gate.maxBytes(type));
      assertThat(entered).isPositive();
      gate.leave(entered);
    }
  }

  @Test
  void halfOfTheMemoryIsLeftForDocumentsInASmallHeap() {
    MemoryPlan plan = MemoryPlan.of(new BuildOptions.Resources(2, 256L << 20), 100L << 20);
    assertThat(plan.documentHeapBytes()).isEqualTo(50L << 20);
    assertThat(plan.heapBytes() + 2 * plan.runBytes()).isLessThanOrEqualTo(256L << 20);
  }
}
