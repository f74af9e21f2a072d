package io.kmodel.indexer.experiment;

import io.kmodel.indexer.memory.OffHeap;
import io.kmodel.indexer.sort.KeyCheck;
import it.unimi.dsi.fastutil.longs.LongArrays;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Sorts of packed keys under JMH, each in a process of its own. Every sort starts from the same
 * keys, and what it leaves is checked, both outside of the time measured. docs/results/sorting.md
 * has the commands.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
    value = 1,
    jvmArgsAppend = {
      "--enable-native-access=ALL-UNNAMED",
      "--add-modules=jdk.incubator.vector",
      "-Djava.util.concurrent.ForkJoinPool.common.parallelism=2"
    })
public class SortBenchmark {
  private static final long SEED = 20101;

  @Param({
    "radix",
    "radix-8",
    "buffered-radix-11",
    "buffered-radix-8",
    "simd-merge",
    "arrays-sort",
    "arrays-parallel-sort",
    "fastutil-quick-sort",
    "fastutil-parallel-quick-sort",
    "fastutil-radix-sort",
    "fastutil-parallel-radix-sort"
  })
  String sorter;

  @Param({"65536", "1048576", "16777216", "67108864"})
  int keys;

  @Param({"22", "44", "62"})
  int bits;

  @Param KeyDistribution distribution;

  /**
   * For the sorters that take a number; the parallel rivals have a pool of two, beside the thread
   * that asks.
   */
  @Param({"1", "2"})
  int threads;

  private Arena arena;
  private MemorySegment given;
  private MemorySegment sorted;
  private KeyCheck check;
  private SortContestant contestant;

  @SuppressWarnings("NullAway.Init") // JMH fills the parameters, and makeKeys the rest
  public SortBenchmark() {}

  @Setup
  public void makeKeys() {
    arena = Arena.ofShared();
    given = OffHeap.allocate((long) Long.BYTES * keys, arena);
    sorted = OffHeap.allocate((long) Long.BYTES * keys, arena);
    distribution.fill(given, keys, bits, SEED);
    check = KeyCheck.of(given, keys);
    contestant = contestant(new SortSetting(keys, bits, distribution, threads));
  }

  @Setup(Level.Invocation)
  public void load() {
    contestant.load(given);
  }

  @Benchmark
  public void sort() {
    contestant.sort();
  }

  @TearDown(Level.Invocation)
  public void check() {
    contestant.unload(sorted);
    check.verify(sorter, sorted, keys);
  }

  @TearDown
  public void release() {
    contestant.close();
    arena.close();
  }

  private SortContestant contestant(SortSetting setting) {
    return switch (sorter) {
      case "fastutil-quick-sort" -> new ArrayContestant(sorter, LongArrays::quickSort, setting);
      case "fastutil-parallel-quick-sort" ->
          new ArrayContestant(sorter, LongArrays::parallelQuickSort, setting);
      case "fastutil-radix-sort" -> new ArrayContestant(sorter, LongArrays::radixSort, setting);
      case "fastutil-parallel-radix-sort" ->
          new ArrayContestant(sorter, LongArrays::parallelRadixSort, setting);
      default -> SortContestants.create(sorter, setting);
    };
  }
}
