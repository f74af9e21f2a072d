package io.kmodel.indexer.inversion;

import io.kmodel.indexer.gpu.GpuKernel;
import io.kmodel.indexer.gpu.GpuStream;

/**
 * Queues the kernels that put the terms and keys of a block in order, see
 * kernels/inversion/order.cuh, lists.cuh and stems.cuh.
 */
final class DeviceOrder {
  private final GpuStream stream;
  private final DeviceBlock on;
  private final int termShift;

  /** Which of the two buffers the terms are in, and the keys. */
  private int termsIn;

  private int keysIn;

  /**
   * For keys that are not in order yet.
   *
   * @param termShift where a key's term starts
   */
  DeviceOrder(GpuStream stream, DeviceBlock on, int termShift) {
    this.stream = stream;
    this.on = on;
    this.termShift = termShift;
  }

  GpuStream stream() {
    return stream;
  }

  /** Which of the two buffers the keys are in. */
  int keysIn() {
    return keysIn;
  }

  /** Sorts terms by their first bytes, from the last byte to the first, then by all bytes. */
  void terms(long terms) {
    for (int at = DeviceBlock.SHORT - 1; at >= 0; at--) {
      pass(DeviceBlock.COUNT_TERMS, DeviceBlock.SCATTER_TERMS, terms, termsIn, at);
      termsIn = 1 - termsIn;
    }
    forEach(terms, DeviceBlock.FIND_TIES, terms, termsIn);
    forEach(terms, DeviceBlock.ORDER_TIES, terms, termsIn);
    termsIn = 1 - termsIn;
  }

  /** Sorts keys by their terms, and makes the lists. */
  void keys(long tokens, long terms) {
    forEach(terms, DeviceBlock.RANK_TERMS, terms, termsIn);
    rankedKeys(tokens, terms);
    forEach(tokens, DeviceBlock.FIND_LISTS, tokens, keysIn);
    writeTerms(terms);
  }

  /** Writes the records of the sorted terms, without keys if these are not in order yet. */
  void writeTerms(long terms) {
    forEach(terms, DeviceBlock.WRITE_TERMS, terms, termsIn);
  }

  /** Ranks words by their stems, whose ranks are where the starts of lists will be. */
  void rankStems(long words) {
    forEach(words, DeviceBlock.RANK_STEMS, words, termsIn);
  }

  /** Makes the lists of stems from sorted keys. */
  void stemLists(long tokens, long stems, long longBytes) {
    forEach(tokens, DeviceBlock.FIND_LISTS, tokens, keysIn);
    forEach(tokens, DeviceBlock.DROP_WORDS, tokens, keysIn, stems);
    forEach(stems + 1, DeviceBlock.WRITE_STEMS, stems, longBytes);
  }

  /**
   * Sorts keys by the ranks of their terms.
   *
   * @param ranks more than the highest
   */
  void rankedKeys(long tokens, long ranks) {
    forEach(tokens, DeviceBlock.RANK_KEYS, tokens);
    int end = termShift + Long.SIZE - Long.numberOfLeadingZeros(ranks - 1);
    for (int shift = termShift; shift < end; shift += DeviceBlock.PASS_BITS) {
      pass(DeviceBlock.COUNT_KEYS, DeviceBlock.SCATTER_KEYS, tokens, keysIn, shift);
      keysIn = 1 - keysIn;
    }
  }

  private void pass(GpuKernel count, GpuKernel scatter, long items, int from, int digit) {
    long tiles = DeviceBlock.sortTiles(items);
    stream.launch(count, tiles, on.struct(), items, from, digit);
    long rows = tiles <= DeviceBlock.FEW_TILES ? 1 : DeviceBlock.RADIX;
    stream.launch(DeviceBlock.SCAN_DIGITS, rows, on.struct(), tiles);
    stream.launch(scatter, tiles, on.struct(), items, from, digit);
  }

  private void forEach(long items, GpuKernel kernel, long... arguments) {
    stream.launch(kernel, DeviceBlock.perThread(items), on.struct(), arguments);
  }
}
