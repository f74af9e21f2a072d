package io.kmodel.indexer.sort;

import static org.assertj.core.api.Assertions.assertThat;

import io.kmodel.indexer.memory.OffHeap;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.IntToLongFunction;

/** Jobs of keys of all distributions, and their expected results. */
final class SortJobs {
  private static final long MAX_KEY = (1L << 62) - 1;

  private SortJobs() {}

  static void assertSorts(SortStage stage, long[] keys, String what) throws InterruptedException {
    assertThat(sortAll(stage, List.of(keys)).getFirst()).as(what).isEqualTo(inOrder(keys));
  }

  static void assertAllSorted(List<long[]> keys, List<long[]> sorted) {
    for (int i = 0; i < keys.size(); i++) {
      assertThat(sorted.get(i)).as("job " + i).isEqualTo(inOrder(keys.get(i)));
    }
  }

  /** Runs all jobs at the same time. */
  static List<long[]> sortAll(SortStage stage, List<long[]> jobs) throws InterruptedException {
    try (Arena arena = Arena.ofConfined()) {
      List<MemorySegment> memories = new ArrayList<>();
      List<KeyOrder.Ticket> tickets = new ArrayList<>();
      for (long[] keys : jobs) {
        MemorySegment memory = OffHeap.allocatePages(Math.max(16, 16L * keys.length), arena);
        memories.add(memory);
        tickets.add(stage.submit(job(memory, keys)));
      }
      List<long[]> sorted = new ArrayList<>();
      for (int i = 0; i < jobs.size(); i++) {
        sorted.add(copy(tickets.get(i).await().keys(), jobs.get(i).length));
      }
      memories.forEach(stage::release);
      return sorted;
    }
  }

  static KeyOrder.Job job(MemorySegment memory, long[] keys) {
    MemorySegment.copy(keys, 0, memory, ValueLayout.JAVA_LONG, 0, keys.length);
    long half = memory.byteSize() / 2;
    // No bits are known to be in order, so that the CPU sorts all bits, too.
    return new KeyOrder.Job(
        memory.asSlice(0, half), memory.asSlice(half, half), keys.length, 0, 62);
  }

  static long[] copy(MemorySegment keys, int n) {
    return keys.asSlice(0, 8L * n).toArray(ValueLayout.JAVA_LONG);
  }

  static long[] inOrder(long[] keys) {
    long[] sorted = keys.clone();
    Arrays.sort(sorted);
    return sorted;
  }

  static long[] draw(String distribution, int n, long seed) {
    return Objects.requireNonNull(distributions(n, seed).get(distribution));
  }

  static Map<String, long[]> distributions(int n, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Random normal = new Random(seed);
    Map<String, long[]> keys = new LinkedHashMap<>();
    keys.put("uniform", random.longs(n, 0, MAX_KEY).toArray());
    keys.put("gaussian", draw(n, i -> (long) (normal.nextGaussian() * (1L << 50)) + (1L << 57)));
    keys.put("zipf", draw(n, i -> (long) Math.pow(2, 22 * random.nextDouble()) << 40 | i));
    keys.put("equal", draw(n, i -> MAX_KEY));
    keys.put("sorted", draw(n, i -> i));
    keys.put("reversed", draw(n, i -> (long) n - i));
    return keys;
  }

  private static long[] draw(int n, IntToLongFunction key) {
    long[] keys = new long[n];
    Arrays.setAll(keys, key);
    return keys;
  }
}
