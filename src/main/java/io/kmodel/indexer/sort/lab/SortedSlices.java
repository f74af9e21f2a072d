package io.kmodel.indexer.sort.lab;

import io.kmodel.indexer.memory.OffHeap;
import io.kmodel.indexer.sort.lab.MultiwayMerge.Slice;
import java.util.ArrayList;
import java.util.List;

/**
 * Divides sorted lists into parts that several threads can merge independently (Satish et al.,
 * section 5.1, step 2, after Francis et al.). It finds the key of a rank by a binary search over
 * all values of 62 bits. Each of the 62 steps probes every list a few times, between the positions
 * that are still possible.
 */
final class SortedSlices {
  private static final int KEY_BITS = 62;

  private final List<Slice> slices;

  SortedSlices(List<Slice> slices) {
    this.slices = slices;
  }

  /** The non-empty parts of the lists that hold the keys of these ranks. */
  List<Slice> between(long firstRank, long endRank) {
    long[] starts = cuts(firstRank);
    long[] ends = cuts(endRank);
    List<Slice> parts = new ArrayList<>();
    for (int i = 0; i < starts.length; i++) {
      if (starts[i] < ends[i]) {
        long address = slices.get(i).address() + Long.BYTES * starts[i];
        parts.add(new Slice(address, ends[i] - starts[i]));
      }
    }
    return parts;
  }

  /** The number of keys of each list among the {@code rank} smallest of all. */
  private long[] cuts(long rank) {
    long[] least = new long[slices.size()];
    long[] most = new long[slices.size()];
    for (int i = 0; i < most.length; i++) {
      most[i] = slices.get(i).count();
    }
    // At most rank keys are below value; value gains a bit if that stays true.
    long value = 0;
    for (int bit = KEY_BITS - 1; bit >= 0; bit--) {
      long tried = value | 1L << bit;
      long[] below = new long[most.length];
      long sum = 0;
      for (int i = 0; i < below.length; i++) {
        below[i] = countBelow(slices.get(i).address(), least[i], most[i], tried);
        sum += below[i];
      }
      if (sum <= rank) {
        value = tried;
        least = below;
      } else {
        most = below;
      }
    }
    return withEqualKeys(least, most, rank);
  }

  /** Of keys equal to the key found, those of earlier lists come first. */
  private static long[] withEqualKeys(long[] least, long[] most, long rank) {
    long missing = rank;
    for (long cut : least) {
      missing -= cut;
    }
    long[] cuts = least.clone();
    for (int i = 0; i < cuts.length; i++) {
      long taken = Math.min(missing, most[i] - least[i]);
      cuts[i] += taken;
      missing -= taken;
    }
    return cuts;
  }

  private static long countBelow(long address, long from, long to, long value) {
    long low = from;
    long high = to;
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (OffHeap.getLong(address + Long.BYTES * middle) < value) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
