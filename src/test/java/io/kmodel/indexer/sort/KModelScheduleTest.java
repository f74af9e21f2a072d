package io.kmodel.indexer.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kmodel.indexer.sort.KModelSchedule.Mode;
import io.kmodel.indexer.sort.Superstep.Step;
import io.kmodel.indexer.sort.lab.KModelCost;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class KModelScheduleTest {

  @ParameterizedTest
  @CsvSource({
    "28, 13, 4, 37, 30",
    "28, 14, 4, 33, 26",
    "30, 13, 4, 43, 35",
    "30, 14, 4, 39, 31",
    "13, 13, 4, 1, 1"
  })
  void passCountsAreThoseOfTheFormulaAndOfTheGreedyPlan(
      int log2N, int log2Sigma, int log2K, int paper, int crossStage) {
    long n = 1L << log2N;
    assertThat(new KModelSchedule(n, log2Sigma, log2K, Mode.PAPER).supersteps()).hasSize(paper);
    assertThat(new KModelSchedule(n, log2Sigma, log2K, Mode.CROSS_STAGE).supersteps())
        .hasSize(crossStage);
    assertThat(KModelCost.paperPasses(log2N, log2Sigma, log2K)).isEqualTo(paper);
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void everyStepOfTheNetworkIsDoneOnceAndInOrder(Mode mode) {
    for (int log2N = 0; log2N <= 33; log2N++) {
      List<Step> network = network(log2N);
      for (int log2Sigma = 1; log2Sigma <= 16; log2Sigma++) {
        for (int log2K = 0; log2K < Math.min(log2Sigma, 6); log2K++) {
          KModelSchedule schedule = new KModelSchedule(1L << log2N, log2Sigma, log2K, mode);
          List<Step> done = new ArrayList<>();
          for (Superstep superstep : schedule.supersteps()) {
            assertThat(superstep.gammaSize()).isEqualTo(log2Sigma);
            assertThat(superstep.lowBits()).as("coalesced").isGreaterThanOrEqualTo(log2K);
            done.addAll(superstep.steps());
          }
          assertThat(done).isEqualTo(network);
          assertThat(done).hasSize(log2N * (log2N + 1) / 2);
        }
      }
    }
  }

  @Test
  void noGreedyPassCouldTakeOneMoreStep() {
    int log2Sigma = 7;
    int log2K = 2;
    List<Superstep> plan =
        new KModelSchedule(1L << 24, log2Sigma, log2K, Mode.CROSS_STAGE).supersteps();
    for (int i = 1; i + 1 < plan.size(); i++) {
      Set<Integer> bits = new HashSet<>(List.of(0, 1));
      plan.get(i).steps().forEach(step -> bits.add(step.bit()));
      bits.add(plan.get(i + 1).steps().getFirst().bit());
      assertThat(bits).hasSize(log2Sigma + 1);
    }
  }

  @Test
  void aPaperPassStaysInsideItsStage() {
    KModelSchedule schedule = new KModelSchedule(1L << 28, 13, 4, Mode.PAPER);
    for (Superstep superstep : schedule.supersteps().subList(1, 37)) {
      assertThat(superstep.steps().stream().map(Step::stage).distinct()).hasSize(1);
    }
  }

  @Test
  void thePartsOfASuperstepHoldEveryIndexOnce() {
    for (int lowBits = 0; lowBits <= 3; lowBits++) {
      for (int highBits = 0; highBits <= 3; highBits++) {
        for (int highBase = lowBits; highBase <= 6; highBase++) {
          Superstep superstep = new Superstep(lowBits, highBase, highBits, List.of());
          for (int n = 0; n <= 70; n++) {
            assertPartsCover(superstep, n);
          }
        }
      }
    }
  }

  private static void assertPartsCover(Superstep superstep, int n) {
    int[] seen = new int[n];
    long parts = superstep.partCount(n);
    for (long part = 0; part < parts; part++) {
      long base = superstep.partBase(part);
      assertThat(base).isLessThan(n);
      for (int e = 0; e < superstep.partSize(); e++) {
        long index = base + superstep.offset(e);
        if (index < n) {
          seen[Math.toIntExact(index)]++;
        }
      }
    }
    assertThat(seen).containsOnly(n == 0 ? new int[0] : new int[] {1});
    assertThat(superstep.partBase(parts)).isGreaterThanOrEqualTo(n);
  }

  @Test
  void thePaperCountsTransactionsOfWholeRowsTwicePerPass() {
    long n = 1L << 20;
    KModelSchedule schedule = new KModelSchedule(n, 12, 4, Mode.PAPER);
    KModelCost cost = KModelCost.bitonic(schedule, n);
    assertThat(cost.memoryTransactions())
        .isEqualTo(2.0 * n / 16 * KModelCost.paperPasses(20, 12, 4));
    assertThat(cost.computation()).isEqualTo(n / 2.0 * (20.0 * 21 / 2));
    assertThat(cost.computation() / cost.time()).isEqualTo(16);
  }

  @Test
  void quicksortMovesMoreRowsThanTheNetworkOnRealMachines() {
    for (int log2N = 20; log2N <= 30; log2N++) {
      long n = 1L << log2N;
      KModelCost network = KModelCost.bitonic(new KModelSchedule(n, 12, 4, Mode.PAPER), n);
      assertThat(network.memoryTransactions())
          .isLessThan(KModelCost.quicksort(n, 4).memoryTransactions());
      assertThat(KModelCost.radixSort(n, 4, 32, 4, 1024).memoryTransactions())
          .isEqualTo(8.0 * n / 1024 * 16);
    }
  }

  @Test
  void quicksortOfFewKeysTakesNoNegativeTime() {
    for (long n = 1; n <= 16; n++) {
      assertThat(KModelCost.quicksort(n, 3).time()).as("%d keys", n).isNotNegative();
    }
    assertThat(KModelCost.quicksort(2, 3).time()).isEqualTo(0.5);
  }

  @Test
  void radixSortMakesAPassOfBitsThatAreNoWholeDigit() {
    KModelCost cost = KModelCost.radixSort(1 << 20, 4, 62, 4, 1024);
    assertThat(cost.memoryTransactions()).isEqualTo(16.0 * (1 << 20) / 1024 * 16);
    assertThat(cost).isEqualTo(KModelCost.radixSort(1 << 20, 4, 64, 4, 1024));
  }

  @Test
  void comparatorsOfAnOddCountAreCountedExactly() {
    // Three keys: stage 1 compares 0-1 (2-3 is missing), stage 2 compares 0-2, then 0-1.
    KModelSchedule schedule = new KModelSchedule(3, 2, 0, Mode.CROSS_STAGE);
    assertThat(KModelCost.bitonic(schedule, 3).computation()).isEqualTo(3);
  }

  @Test
  void impossibleMachinesAreRejected() {
    assertThatThrownBy(() -> new KModelSchedule(-1, 3, 0, Mode.PAPER))
        .hasMessage("number of keys must be 0 to 2^40; got -1");
    assertThatThrownBy(() -> new KModelSchedule(8, 0, 0, Mode.PAPER))
        .hasMessage("log2Sigma must be 1 to 30; got 0");
    assertThatThrownBy(() -> new KModelSchedule((1L << 40) + 1, 3, 0, Mode.PAPER))
        .hasMessage("number of keys must be 0 to 2^40; got 1099511627777");
    assertThatThrownBy(() -> new KModelSchedule(8, 31, 0, Mode.PAPER))
        .hasMessage("log2Sigma must be 1 to 30; got 31");
    List<Superstep> largest = new KModelSchedule(1L << 40, 30, 4, Mode.PAPER).supersteps();
    assertThat(largest.getLast().steps().getLast()).isEqualTo(new Step(40, 0));
    assertThatThrownBy(() -> new KModelSchedule(8, 3, 3, Mode.PAPER))
        .hasMessage("log2K must be in [0, log2Sigma = 3); got 3");
    assertThatThrownBy(() -> new Superstep(3, 2, 1, List.of()))
        .hasMessage("high bits must start in [3, 63); got 2");
    assertThatThrownBy(() -> new Superstep(3, 5, 1, List.of(new Step(5, 4))))
        .hasMessage("Step[stage=5, bit=4] is outside of its gamma-sequence");
    assertThatThrownBy(() -> new Step(2, 2))
        .hasMessage("bit of a step must be in [0, stage); got bit 2 of stage 2");
  }

  private static List<Step> network(int log2N) {
    List<Step> steps = new ArrayList<>();
    for (int stage = 1; stage <= log2N; stage++) {
      for (int bit = stage - 1; bit >= 0; bit--) {
        steps.add(new Step(stage, bit));
      }
    }
    return steps;
  }
}
