package io.kmodel.indexer.inversion;

import com.google.common.primitives.Ints;
import io.kmodel.indexer.inversion.DeviceBlock.Counter;
import io.kmodel.indexer.inversion.InversionLane.DamagedException;
import io.kmodel.indexer.inversion.InversionLane.RefusedException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;

/** The counters of a device as they came back. Thread-safe. */
final class DeviceCounters {
  static final long BYTES = (long) Long.BYTES * Counter.values().length;

  /** There are 256 norms, each with a frequency and a difference of norms of 7 bytes together. */
  private static final int MOST_IMPACT_BYTES = 7 << 8;

  private final Map<Counter, Long> counters = new EnumMap<>(Counter.class);

  /** Copies the counters from memory. */
  DeviceCounters(MemorySegment memory) {
    for (Counter counter : Counter.values()) {
      counters.put(counter, memory.getAtIndex(ValueLayout.JAVA_LONG, counters.size()));
    }
  }

  long get(Counter counter) {
    return counters.getOrDefault(counter, 0L);
  }

  /** Requires that terms could be put in order. */
  void requireOrder() throws RefusedException {
    if (get(Counter.TIES) > 0) {
      throw new RefusedException("too many terms with the same start");
    }
  }

  /**
   * The maxima of the impacts of all lists.
   *
   * @throws DamagedException if one is impossible
   */
  int[] maxima() throws DamagedException {
    int[] maxima =
        Stream.of(
                Counter.BLOCK_IMPACTS,
                Counter.BLOCK_IMPACT_BYTES,
                Counter.GROUP_IMPACTS,
                Counter.GROUP_IMPACT_BYTES)
            .mapToInt(counter -> Ints.saturatedCast(get(counter)))
            .toArray();
    if (Arrays.stream(maxima).anyMatch(maximum -> maximum < 0 || maximum > MOST_IMPACT_BYTES)) {
      throw new DamagedException("impossible impacts");
    }
    return maxima;
  }
}
