package io.kmodel.indexer.experiment.paper;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import io.kmodel.indexer.experiment.Child;
import io.kmodel.indexer.experiment.JavaOptions;
import io.kmodel.indexer.experiment.SortRace;
import java.io.File;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Counts what the kernels of a sort do: NVIDIA's profiler {@code ncu} runs the race of one sorter
 * in another process and reads the device's counters. Many machines do not let it.
 */
final class KernelCounters {
  private static final long MEMORY_BYTES = 4L << 30;

  private static final String LOADED = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
  private static final String STORED = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum";
  private static final String CONFLICTS = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum";
  private static final String DIVERGENT = "smsp__sass_branch_targets_threads_divergent.sum";

  /**
   * The counts of one sort.
   *
   * @param sectors of 32 bytes of global memory that were loaded and stored
   * @param conflicts of banks of shared memory
   * @param divergent branches in which threads of a warp went different ways
   */
  record Counts(long sectors, long conflicts, long divergent) {}

  private KernelCounters() {}

  /** Whether there is a profiler on the path. */
  static boolean hasProfiler() {
    return Splitter.on(File.pathSeparator)
        .splitToStream(System.getenv().getOrDefault("PATH", ""))
        .anyMatch(folder -> !folder.isEmpty() && Files.isExecutable(Path.of(folder, "ncu")));
  }

  /**
   * Counts what one sort of uniform keys of 32 bits does.
   *
   * @throws IOException if the profiler cannot count
   */
  static Counts of(String sorter, long keys) throws IOException {
    ProcessBuilder profiler =
        new ProcessBuilder(
            ImmutableList.<String>builder()
                .add("ncu", "--clock-control", "none", "--target-processes", "all")
                .add("--csv", "--page", "raw", "--metrics")
                .add(String.join(",", LOADED, STORED, CONFLICTS, DIVERGENT))
                .addAll(JavaOptions.ofBuild(MEMORY_BYTES))
                .add("experiment", "sorters", "--sorter", sorter, "--bits", "32")
                .add("--keys", Long.toString(keys), "--rounds", "1", "--warm-up", "0")
                .build());
    try {
      Child.End end = Child.run(profiler);
      if (end.exit() != 0) {
        throw end.failure("ncu");
      }
      return parse(end.output(), Math.ceilDiv(SortRace.KEYS_OF_A_TURN, keys));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClosedByInterruptException();
    }
  }

  /**
   * Adds up the counts of all kernels in ncu's table.
   *
   * @param sorts number of sorts that were counted
   * @throws IOException if it has no counts
   */
  static Counts parse(String table, long sorts) throws IOException {
    List<List<String>> rows =
        table.lines().filter(line -> line.startsWith("\"")).map(KernelCounters::cells).toList();
    if (rows.size() < 3) {
      throw new IOException("ncu has counted no kernel");
    }
    // The second row has the units.
    List<List<String>> kernels = rows.subList(2, rows.size());
    List<String> names = rows.getFirst();
    long sectors = sum(names, LOADED, kernels) + sum(names, STORED, kernels);
    long conflicts = sum(names, CONFLICTS, kernels);
    long divergent = sum(names, DIVERGENT, kernels);
    return new Counts(sectors / sorts, conflicts / sorts, divergent / sorts);
  }

  private static List<String> cells(String line) {
    return Splitter.on("\",\"").splitToList(line.substring(1, line.length() - 1));
  }

  private static long sum(List<String> names, String name, List<List<String>> kernels)
      throws IOException {
    int column = names.indexOf(name);
    long sum = 0;
    for (List<String> kernel : kernels) {
      String value = column < 0 || column >= kernel.size() ? "" : kernel.get(column);
      try {
        sum += Math.round(Double.parseDouble(value.replace(",", "")));
      } catch (NumberFormatException e) {
        throw new IOException(
            String.format(Locale.ROOT, "ncu's count of %s is not a number: '%s'", name, value), e);
      }
    }
    return sum;
  }
}
