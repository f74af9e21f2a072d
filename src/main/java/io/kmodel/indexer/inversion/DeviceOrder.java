package io.kmodel.indexer.inversion;

import io.kmodel.indexer.gpu.GpuKernel;
import io.kmodel.indexer.gpu.GpuStream;

/** Queues the kernels that put terms and keys in order, see kernels/inversion/order.cuh. */
record DeviceOrder(GpuStream stream, DeviceBlock on) {
  /**
   * Sorts terms by their first bytes, from the last byte to the first, then by all bytes.
   *
   * @return which of the two buffers they are in
   */
  int terms(long terms) {
    int in = 0;
    for (int at = DeviceBlock.SHORT - 1; at >= 0; at--) {
      pass(DeviceBlock.COUNT_TERMS, DeviceBlock.SCATTER_TERMS, terms, in, at);
      in = 1 - in;
    }
    long blocks = DeviceBlock.perThread(terms);
    stream.launch(DeviceBlock.FIND_TIES, blocks, on.struct(), terms, in);
    stream.launch(DeviceBlock.ORDER_TIES, blocks, on.struct(), terms, in);
    return 1 - in;
  }

  /**
   * Sorts keys by the ranks of their terms.
   *
   * @param termShift where a key's rank starts
   * @return which of the two buffers they are in
   */
  int keys(int termShift, long tokens, long terms) {
    int in = 0;
    int end = termShift + Long.SIZE - Long.numberOfLeadingZeros(terms - 1);
    for (int shift = termShift; shift < end; shift += DeviceBlock.PASS_BITS) {
      pass(DeviceBlock.COUNT_KEYS, DeviceBlock.SCATTER_KEYS, tokens, in, shift);
      in = 1 - in;
    }
    return in;
  }

  private void pass(GpuKernel count, GpuKernel scatter, long items, int from, int digit) {
    long tiles = DeviceBlock.sortTiles(items);
    stream.launch(count, tiles, on.struct(), items, from, digit);
    long rows = tiles <= DeviceBlock.FEW_TILES ? 1 : DeviceBlock.RADIX;
    stream.launch(DeviceBlock.SCAN_DIGITS, rows, on.struct(), tiles);
    stream.launch(scatter, tiles, on.struct(), items, from, digit);
  }
}
