package io.kmodel.indexer.experiment.paper;

import io.kmodel.indexer.experiment.KeyDistribution;
import io.kmodel.indexer.experiment.ManyKeys;
import io.kmodel.indexer.memory.OffHeap;
import io.kmodel.indexer.sort.KeyCheck;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Uniform keys for sorts over several devices, and the check of their results. Keys of 8 bytes have
 * 62 random bits, which all sorters can order. Memory: 20 bytes for each key.
 */
final class TeamKeys {
  private static final int WIDE_BITS = 62;

  private final MemorySegment wide;
  private final MemorySegment narrow;
  private final MemorySegment sorted;
  private int keyBytes;
  private long count;
  private KeyCheck check = new KeyCheck(0, 0);

  TeamKeys(long mostKeys, Arena arena) {
    this.wide = OffHeap.allocate(Long.BYTES * mostKeys, arena);
    this.narrow = OffHeap.allocate(Integer.BYTES * mostKeys, arena);
    this.sorted = OffHeap.allocate(Long.BYTES * mostKeys, arena);
  }

  /** Random bits of keys of so many bytes. */
  static int bits(int keyBytes) {
    return keyBytes == Long.BYTES ? WIDE_BITS : Integer.SIZE;
  }

  /** Makes other keys of 4 or 8 bytes. */
  void fill(long keys, int bytes, long seed) {
    this.count = keys;
    this.keyBytes = bytes;
    KeyDistribution.UNIFORM.fill(wide, keys, bits(bytes), seed);
    this.check = KeyCheck.of(wide, keys);
    if (bytes == Integer.BYTES) {
      ManyKeys.narrow(wide, narrow.asSlice(0, Integer.BYTES * keys), bytes);
    }
  }

  /** Copies the keys to other memory. */
  void load(MemorySegment to) {
    MemorySegment keys = keyBytes == Long.BYTES ? wide : narrow;
    to.asSlice(0, keyBytes * count).copyFrom(keys.asSlice(0, keyBytes * count));
  }

  /**
   * Checks that memory has the keys in order.
   *
   * @throws IllegalStateException if it has not
   */
  void verify(String sorter, MemorySegment from) {
    if (keyBytes == Long.BYTES) {
      check.verify(sorter, from, count);
      return;
    }
    ManyKeys.widen(from.asSlice(0, Integer.BYTES * count), sorted, keyBytes);
    check.verify(sorter, sorted, count);
  }
}
