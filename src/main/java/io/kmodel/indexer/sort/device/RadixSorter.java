package io.kmodel.indexer.sort.device;

import io.kmodel.indexer.gpu.GpuKernel;
import java.util.List;

/**
 * Radix sort with one pass for each digit of 8 bits: a tile learns where its keys belong from the
 * tiles before it while all of them work (Merrill and Garland's decoupled look-back;
 * kernels/sorters/radix.cuh). Stable.
 */
final class RadixSorter implements DeviceSorter {
  private static final int DIGITS = 256;
  private static final int STATE_BYTES = 16_400;

  /** As many as a large device holds at once. */
  private static final int COUNT_BLOCKS = 528;

  private static final int COUNT_THREADS = 512;

  private final int passes;
  private final int tile;
  private final GpuKernel countDigits;
  private final GpuKernel placeDigits = new GpuKernel("place_digits", DIGITS, 2048);
  private final GpuKernel moveKeys;

  RadixSorter(int keyBytes) {
    this.passes = keyBytes;
    boolean isWide = keyBytes == Long.BYTES;
    this.tile = 384 * (isWide ? 20 : 32);
    this.countDigits = new GpuKernel("count_digits_" + Kinds.of(keyBytes), COUNT_THREADS, 8192);
    this.moveKeys = new GpuKernel("move_keys_" + Kinds.of(keyBytes), 384, isWide ? 89_128 : 76_840);
  }

  @Override
  public List<GpuKernel> kernels() {
    return List.of(countDigits, placeDigits, moveKeys);
  }

  private long tiles(long n) {
    return Math.ceilDiv(n, (long) tile);
  }

  @Override
  public long scratchBytes(long n) {
    return STATE_BYTES + tiles(n) * DIGITS * Long.BYTES;
  }

  @Override
  public void sort(DeviceLane lane, DeviceKeys keys) {
    if (keys.count() == 0) {
      return;
    }
    long n = keys.count();
    long state = keys.scratch();
    lane.clear(state, scratchBytes(n));
    long countBlocks = Math.min(COUNT_BLOCKS, Math.ceilDiv(n, (long) COUNT_THREADS));
    lane.launch(countDigits, countBlocks, keys.address(), n, state);
    lane.launch(placeDigits, passes, state);
    for (int pass = 0; pass < passes; pass++) {
      long from = pass % 2 == 0 ? keys.address() : keys.other();
      long to = pass % 2 == 0 ? keys.other() : keys.address();
      lane.launch(moveKeys, tiles(n), from, to, n, pass, state);
    }
  }
}
