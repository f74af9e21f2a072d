package io.kmodel.indexer.sort.device;

import io.kmodel.indexer.gpu.GpuKernel;
import java.util.List;

/**
 * The first step of radix sorts with one pass for each digit of 8 bits, and the state that their
 * passes share: how often the keys have each digit, and what the tiles of a pass tell each other
 * (kernels/sorters/radix.cuh).
 */
public final class DigitCounts {
  private static final int DIGITS = 256;
  private static final int STATE_BYTES = 16_400;
  private static final int COUNT_THREADS = 512;

  /** As many as a large device holds at once. */
  private static final int MOST_BLOCKS = 528;

  private final int passes;
  private final int tile;
  private final GpuKernel countDigits;
  private final GpuKernel placeDigits = new GpuKernel("place_digits", DIGITS, 2048);

  /**
   * Creates the step.
   *
   * @param tile items that a block moves in a pass
   */
  public DigitCounts(int keyBytes, int tile) {
    this.passes = keyBytes;
    this.tile = tile;
    this.countDigits = new GpuKernel("count_digits_" + Kinds.of(keyBytes), COUNT_THREADS, 8192);
  }

  public List<GpuKernel> kernels() {
    return List.of(countDigits, placeDigits);
  }

  /** One for each byte of a key. */
  public int passes() {
    return passes;
  }

  /** Blocks of a pass. */
  public long tiles(long n) {
    return Math.ceilDiv(n, (long) tile);
  }

  public long stateBytes(long n) {
    return STATE_BYTES + tiles(n) * DIGITS * Long.BYTES;
  }

  public void run(DeviceLane lane, long keys, long n, long state) {
    lane.clear(state, stateBytes(n));
    long blocks = Math.min(MOST_BLOCKS, Math.ceilDiv(n, (long) COUNT_THREADS));
    lane.launch(countDigits, blocks, keys, n, state);
    lane.launch(placeDigits, passes, state);
  }
}
