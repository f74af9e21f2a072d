package io.kmodel.indexer.sort.lab;

import io.kmodel.indexer.sort.KModelSchedule;
import io.kmodel.indexer.sort.Superstep;

/**
 * The three complexities of a sort in the K-model (Sections 4.3 and 6.1); Fig. 6 shows the first.
 * Those of the bitonic network are exact counts of a schedule; those of quicksort and radix sort
 * are the paper's formulas without their hidden constants.
 *
 * @param memoryTransactions transfers of one aligned row of k keys between memories
 * @param time parallel compare-and-swaps, k at once
 * @param computation compare-and-swaps (key visits for the other sorters)
 */
public record KModelCost(double memoryTransactions, double time, double computation) {

  /** Cost of a schedule on n keys; each pass reads and writes every row once. */
  public static KModelCost bitonic(KModelSchedule schedule, long n) {
    double k = 1 << schedule.log2K();
    double rows = Math.ceil(n / k);
    double passes = schedule.supersteps().size();
    long comparators = 0;
    double time = 0;
    for (Superstep superstep : schedule.supersteps()) {
      double parts = superstep.partCount(n);
      double perStep = Math.max(1, superstep.partSize() / (2 * k));
      time += parts * perStep * superstep.steps().size();
      for (Superstep.Step step : superstep.steps()) {
        comparators += comparators(n, step.bit());
      }
    }
    return new KModelCost(2 * rows * passes, time, (double) comparators);
  }

  /**
   * Number of passes by Section 6.1's closed form, 1 + Σ (⌈(s − log σ) / log(σ/k)⌉ + 1) over the
   * stages s above log σ.
   */
  public static long paperPasses(int log2N, int log2Sigma, int log2K) {
    long passes = 1;
    for (int stage = log2Sigma + 1; stage <= log2N; stage++) {
      passes += Math.ceilDiv(stage - log2Sigma, log2Sigma - log2K) + 1L;
    }
    return passes;
  }

  /**
   * The paper's quicksort: log n rounds of its three kernels. For at most k keys the prefix sums of
   * the second kernel take no time.
   */
  public static KModelCost quicksort(long n, int log2K) {
    double k = 1 << log2K;
    double keys = (double) n;
    double rounds = Math.log(keys) / Math.log(2);
    double transactions = (keys / k + 2) + 4 * keys / (k * k) + (keys / k + keys);
    double time = 2 * keys / k + 4 * Math.max(0, Math.log(keys / k) / Math.log(2));
    double computation = 2 * keys + 2 * keys / k;
    return new KModelCost(rounds * transactions, rounds * time, rounds * computation);
  }

  /**
   * The paper's radix sort, in whole passes.
   *
   * @param n number of keys
   * @param log2K logarithm of the keys of a transaction
   * @param keyBits width of a key
   * @param digitBits b, the bits of one pass; 4 in the paper
   * @param blockKeys h, the keys of one block; 1024 in the paper
   */
  public static KModelCost radixSort(long n, int log2K, int keyBits, int digitBits, int blockKeys) {
    int passes = Math.ceilDiv(keyBits, digitBits);
    double digits = 1 << digitBits;
    double k = 1 << log2K;
    double computation = (double) digitBits * n * passes;
    return new KModelCost((double) passes * n / blockKeys * digits, computation / k, computation);
  }

  /** Pairs of indexes below n that differ in this bit alone. */
  private static long comparators(long n, int bit) {
    long whole = n >>> (bit + 1) << bit;
    long rest = n & ((1L << (bit + 1)) - 1);
    return whole + Math.max(0, rest - (1L << bit));
  }
}
