package io.kmodel.indexer.experiment;

import io.kmodel.indexer.sort.KModelSchedule;
import io.kmodel.indexer.sort.KModelSchedule.Mode;
import io.kmodel.indexer.sort.KernelShape;
import io.kmodel.indexer.sort.lab.KModelCost;
import java.util.Formatter;
import java.util.Locale;

/** Costs in the K-model of sorting n keys (Sections 4.3 and 6.1), for σ and k of the kernels. */
public final class CostTable {
  private static final int RADIX_DIGIT_BITS = 4;
  private static final int RADIX_BLOCK_KEYS = 1024;
  private static final int KEY_BITS = 62;

  private CostTable() {}

  /** Formats the table with a heading. */
  public static String of(long n) {
    int log2Sigma = KernelShape.PACKED.log2Sigma();
    int log2K = KernelShape.PACKED.log2K();
    StringBuilder text = new StringBuilder();
    try (Formatter out = new Formatter(text, Locale.ROOT)) {
      out.format(
          "K-model, %,d keys, sigma = 2^%d, k = 2^%d%n%-34s %8s %14s %14s %14s%n",
          n, log2Sigma, log2K, "", "passes", "transactions", "time", "computation");
      for (Mode mode : Mode.values()) {
        KModelSchedule schedule = new KModelSchedule(n, log2Sigma, log2K, mode);
        String name =
            mode == Mode.PAPER ? "bitonic, passes within stages" : "bitonic, across stages";
        line(out, name, schedule.supersteps().size(), KModelCost.bitonic(schedule, n));
      }
      line(out, "quicksort", -1, KModelCost.quicksort(n, log2K));
      line(
          out,
          "radix sort",
          Math.ceilDiv(KEY_BITS, RADIX_DIGIT_BITS),
          KModelCost.radixSort(n, log2K, KEY_BITS, RADIX_DIGIT_BITS, RADIX_BLOCK_KEYS));
    }
    return text.toString();
  }

  private static void line(Formatter out, String name, int passes, KModelCost cost) {
    out.format(
        "%-34s %8s %14.4g %14.4g %14.4g%n",
        name, passes < 0 ? "" : passes, cost.memoryTransactions(), cost.time(), cost.computation());
  }
}
