package io.kmodel.indexer.indexing.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.indexing.options.BuildOptions;
import io.kmodel.indexer.indexing.options.MemoryPlan;
import io.kmodel.indexer.source.DecoderGuard;
import io.kmodel.indexer.source.DecoderGuard.Memory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DocumentGateTest {
  private static final long MEBIBYTE = 1 << 20;

  /** With a heap of 180 MiB, 100 MiB of which is for documents. */
  private static DocumentGate gate(int threads) {
    return new DocumentGate(
        new MemoryPlan(
            180 * MEBIBYTE, MEBIBYTE, MEBIBYTE, 100 * MEBIBYTE, 0, 130 * MEBIBYTE, MEBIBYTE),
        threads);
  }

  @Test
  void documentsWithinTheSharePassSideBySide() throws InterruptedException {
    DocumentGate gate = gate(4);
    DocumentGate.ThreadGuard one = gate.guard();
    DocumentGate.ThreadGuard two = gate.guard();
    assertThat(one.freeBytes()).isEqualTo(100 * MEBIBYTE / 8);
    assertThat(one.reserve(one.freeBytes())).isTrue();
    assertThat(two.reserve(two.freeBytes())).isTrue();
  }

  @Test
  void aSecondLargeDocumentWaitsForTheFirst() throws InterruptedException {
    DocumentGate gate = gate(2);
    DocumentGate.ThreadGuard first = gate.guard();
    // A small one has no turn to give up.
    assertThat(first.reserve(MEBIBYTE)).isTrue();
    first.release();
    assertThat(first.reserve(40 * MEBIBYTE)).isTrue();
    CountDownLatch entered = new CountDownLatch(1);
    Thread second =
        start(
            () -> {
              DocumentGate.ThreadGuard lane = gate.guard();
              if (lane.reserve(30 * MEBIBYTE)) {
                entered.countDown();
                lane.release();
              }
            });
    assertThat(entered.await(50, TimeUnit.MILLISECONDS)).isFalse();
    first.release();
    assertThat(entered.await(10, TimeUnit.SECONDS)).isTrue();
    second.join();
  }

  @Test
  void aLargeDocumentMayGrowWithoutWaitingForItself() throws InterruptedException {
    DocumentGate.ThreadGuard lane = gate(2).guard();
    assertThat(lane.reserve(30 * MEBIBYTE)).isTrue();
    // Its share of 25 MiB, and the 50 MiB for large ones.
    assertThat(lane.reserve(75 * MEBIBYTE)).isTrue();
    assertThat(lane.reserve(76 * MEBIBYTE)).isFalse();
  }

  @Test
  void aThreadKnowsThatItHasTheTurn() throws InterruptedException {
    DocumentGate.ThreadGuard lane = gate(2).guard();
    assertThat(lane.holdsTurn()).isFalse();
    assertThat(lane.reserve(30 * MEBIBYTE)).isTrue();
    assertThat(lane.holdsTurn()).isTrue();
    lane.release();
    assertThat(lane.holdsTurn()).isFalse();
    for (Memory memory : Memory.values()) {
      assertThat(lane.reserve(memory, 70 * MEBIBYTE)).isTrue();
      assertThat(lane.holdsTurn()).isTrue();
      lane.release(memory, 70 * MEBIBYTE);
      assertThat(lane.holdsTurn()).isFalse();
    }
  }

  @Test
  void whatIsUnpackedAheadHasItsBytesForAllThreadsTogether() {
    DocumentGate gate = gate(2);
    DocumentGate.ThreadGuard one = gate.guard();
    DocumentGate.ThreadGuard two = gate.guard();
    assertThat(one.ahead().take(MEBIBYTE - 10, 0)).isTrue();
    assertThat(two.ahead().take(11, 0)).isFalse();
    assertThat(two.ahead().take(10, 0)).isTrue();
    one.ahead().giveBack(10);
    assertThat(two.ahead().take(10, 0)).isTrue();
    assertThat(one.ahead().take(1, 0)).isFalse();
    two.ahead().giveBack(10);
    assertThat(one.ahead().take(4, 7)).isFalse();
    assertThat(one.ahead().take(4, 6)).isTrue();
    assertThat(one.ahead().take(6, 0)).isTrue();
  }

  @Test
  void whatFitsNowhereIsRefusedAtOnce() throws InterruptedException {
    DocumentGate gate = gate(2);
    assertThat(gate.guard().reserve(gate.guard().largestBytes())).isTrue();
    assertThat(gate.guard().reserve(gate.guard().largestBytes() + 1)).isFalse();
  }

  @Test
  void whatDecodersHaveDocumentsHaveNot() throws InterruptedException {
    DocumentGate.ThreadGuard lane = gate(2).guard();
    // Of 66 MiB with the decoders' own, half: 33; a document may have 25 of them.
    assertThat(lane.reserve(Memory.HEAP, 8 * MEBIBYTE)).isTrue();
    assertThat(lane.freeBytes()).isEqualTo(25 * MEBIBYTE);
    assertThat(lane.reserve(Memory.HEAP, 10 * MEBIBYTE)).isTrue();
    assertThat(lane.freeBytes()).isEqualTo(15 * MEBIBYTE);
    assertThat(lane.largestBytes()).isEqualTo(75 * MEBIBYTE);
    assertThat(lane.reserve(Memory.HEAP, 50 * MEBIBYTE)).isTrue();
    assertThat(lane.freeBytes()).isZero();
    assertThat(lane.largestBytes()).isEqualTo(31 * MEBIBYTE);
    assertThat(lane.reservedBytes(Memory.HEAP)).isEqualTo(68 * MEBIBYTE);
    lane.release(Memory.HEAP, 68 * MEBIBYTE);
    assertThat(lane.freeBytes()).isEqualTo(25 * MEBIBYTE);
  }

  @Test
  void decodersMayHaveNoMoreThanTheOldGenerationAndTheWindowOfThePlan()
      throws InterruptedException {
    for (int threads : new int[] {1, 2}) {
      DocumentGate.ThreadGuard lane = gate(threads).guard();
      long most = lane.decoders().largestBytes(Memory.HEAP);
      assertThat(most).isEqualTo(threads == 1 ? 100 * MEBIBYTE : 99 * MEBIBYTE);
      assertThat(lane.reserve(Memory.HEAP, most - 1)).isTrue();
      assertThat(lane.reserve(Memory.HEAP, 2)).isFalse();
      assertThat(lane.reserve(Memory.OUTSIDE, 130 * MEBIBYTE)).isTrue();
      assertThat(lane.reserve(Memory.OUTSIDE, 1)).isFalse();
    }
  }

  @Test
  void theMemoryThatIsAdvisedSuffices() {
    DocumentGate.ThreadGuard lane = gate(2).guard();
    String advice = lane.advice(1400 * MEBIBYTE);
    assertThat(advice).matches("--memory [0-9]+g --threads 1 would do");
    long bytes = Long.parseLong(advice.replaceAll("--memory ([0-9]+)g.*", "$1"));
    MemoryPlan advised =
        MemoryPlan.of(new BuildOptions.Resources(1, bytes << 30), (bytes << 30) / 5 * 2);
    assertThat(new DocumentGate(advised, 1).guard().largestBytes()).isGreaterThan(1400 * MEBIBYTE);
    assertThat(gate(1).guard().advice(1400 * MEBIBYTE))
        .as("whatever the threads")
        .isEqualTo(advice);
    assertThat(gate(1).guard().adviceForRun(1200 * MEBIBYTE))
        .isEqualTo("--memory 4g --threads 1 would do");
    assertThat(lane.advice(Long.MAX_VALUE)).isEqualTo("raise --memory or lower --threads");
  }

  @Test
  void usualWindowsNeedNoRoomInThePlan() {
    MemoryPlan plan = new MemoryPlan(180 * MEBIBYTE, MEBIBYTE, MEBIBYTE, 100 * MEBIBYTE);
    assertThat(new DocumentGate(plan, 2).guard().largestBytes(Memory.OUTSIDE))
        .isEqualTo(DecoderGuard.USUAL_OUTSIDE_BYTES);
  }

  @Test
  void usualDecodersPassSideBySide() throws InterruptedException {
    DocumentGate gate = gate(4);
    for (int thread = 0; thread < 4; thread++) {
      DocumentGate.ThreadGuard lane = gate.guard();
      assertThat(lane.reserve(Memory.HEAP, 66 * MEBIBYTE / 4)).isTrue();
      assertThat(lane.reserve(Memory.OUTSIDE, DecoderGuard.USUAL_OUTSIDE_BYTES)).isTrue();
      assertThat(lane.holdsTurn()).isFalse();
    }
  }

  @Test
  void aSecondLargeDecoderWaitsForTheFirstAndForItsDocument() throws InterruptedException {
    for (Memory memory : Memory.values()) {
      DocumentGate gate = gate(2);
      DocumentGate.ThreadGuard first = gate.guard();
      assertThat(first.reserve(memory, 70 * MEBIBYTE)).isTrue();
      assertThat(first.reserve(28 * MEBIBYTE)).as("its own turn").isTrue();
      CountDownLatch entered = new CountDownLatch(1);
      Thread second =
          start(
              () -> {
                DocumentGate.ThreadGuard lane = gate.guard();
                if (lane.reserve(memory, 80 * MEBIBYTE)) {
                  entered.countDown();
                  lane.release(memory, 80 * MEBIBYTE);
                }
              });
      first.release();
      assertThat(entered.await(50, TimeUnit.MILLISECONDS)).isFalse();
      assertThat(first.reserve(28 * MEBIBYTE)).isTrue();
      first.release(memory, 70 * MEBIBYTE);
      assertThat(entered.await(50, TimeUnit.MILLISECONDS)).isFalse();
      first.release();
      assertThat(entered.await(10, TimeUnit.SECONDS)).isTrue();
      second.join();
    }
  }

  private interface Passage {
    void run() throws InterruptedException;
  }

  private static Thread start(Passage passage) {
    return Thread.ofVirtual()
        .start(
            () -> {
              try {
                passage.run();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
  }
}
