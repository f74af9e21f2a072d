package io.kmodel.indexer.sort.device;

import io.kmodel.indexer.gpu.GpuKernel;
import io.kmodel.indexer.sort.device.DevicesSorter.ListPair;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds where two lists over several devices are cut: for each border between devices, the number
 * of keys of the first list that belong before it (Tanasic et al., sections 3.4 and 4.1;
 * kernels/sorters/pivots.cuh). Equal keys stay in the first list, so as few as possible move.
 */
final class Pivots {
  private static final int THREADS = 32;

  /** A share: the address of its keys, and the number of keys before them. */
  private static final int SHARE_WORDS = 2;

  private final int keyBytes;
  private final GpuKernel findPivots;

  Pivots(int keyBytes) {
    this.keyBytes = keyBytes;
    this.findPivots = new GpuKernel("find_pivots_" + Kinds.of(keyBytes), THREADS, 0);
  }

  GpuKernel kernel() {
    return findPivots;
  }

  /** Bytes of a table of all devices and of their pivots. */
  static long scratchBytes(int devices) {
    return (devices + 1L) * (SHARE_WORDS + 1) * Long.BYTES;
  }

  /** By a kernel on the first device of each pair, which reads the others' memory. */
  List<long[]> byPeers(Shares shares, List<ListPair> pairs) {
    List<Long> addresses = new ArrayList<>();
    for (ListPair pair : pairs) {
      addresses.add(launch(shares, pair));
    }
    List<long[]> found = new ArrayList<>();
    for (int i = 0; i < pairs.size(); i++) {
      ListPair pair = pairs.get(i);
      DevicePart part = shares.part(pair.first());
      part.device().use();
      found.add(part.lane().get(addresses.get(i), borders(pair)));
    }
    return found;
  }

  private static int borders(ListPair pair) {
    return pair.end() - pair.first() - 1;
  }

  /** Returns the address of the pivots. */
  private long launch(Shares shares, ListPair pair) {
    long first = shares.start(pair.first());
    Table table = new Table(SHARE_WORDS);
    for (int device = pair.first(); device < pair.end(); device++) {
      table.add(shares.part(device).keys().address(), shares.start(device) - first);
    }
    table.add(0, shares.start(pair.end()) - first);
    DevicePart part = shares.part(pair.first());
    part.device().use();
    Pieces memory = new Pieces(part.keys().scratch());
    long rows = memory.take((long) table.rows() * SHARE_WORDS * Long.BYTES);
    long found = memory.take((long) borders(pair) * Long.BYTES);
    table.put(part.lane(), rows, table.rows());
    part.lane()
        .launch(
            findPivots,
            Math.ceilDiv(borders(pair), THREADS),
            rows,
            pair.middle() - pair.first(),
            pair.end() - pair.first(),
            found);
    return found;
  }

  /** By binary search on the host, which reads two keys for each step. */
  long[] byHost(Shares shares, ListPair pair) {
    long first = shares.start(pair.first());
    long middle = shares.start(pair.middle());
    long countA = middle - first;
    long countB = shares.start(pair.end()) - middle;
    long[] found = new long[borders(pair)];
    for (int border = 0; border < found.length; border++) {
      long diagonal = shares.start(pair.first() + border + 1) - first;
      long low = Math.max(0, diagonal - countB);
      long high = Math.min(diagonal, countA);
      while (low < high) {
        long half = (low + high) / 2;
        long a = keyAt(shares, first + half);
        long b = keyAt(shares, middle + diagonal - 1 - half);
        if (Long.compareUnsigned(a, b) <= 0) {
          low = half + 1;
        } else {
          high = half;
        }
      }
      found[border] = low;
    }
    return found;
  }

  private long keyAt(Shares shares, long place) {
    int device = 0;
    while (shares.start(device + 1) <= place) {
      device++;
    }
    DevicePart part = shares.part(device);
    part.device().use();
    long at = (place - shares.start(device)) * keyBytes;
    long word = part.lane().get(part.keys().address() + (at & -Long.BYTES), 1)[0];
    return keyBytes == Long.BYTES
        ? word
        : (word >>> (Byte.SIZE * (at % Long.BYTES))) & 0xFFFF_FFFFL;
  }
}
