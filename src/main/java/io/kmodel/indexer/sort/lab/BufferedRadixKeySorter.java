package io.kmodel.indexer.sort.lab;

import io.kmodel.indexer.sort.RadixKeySorter;

/**
 * The radix sort with the buffers of Satish et al. (Fast Sort on CPUs and GPUs, sections 4.2.1 and
 * 4.3.1), for comparison: keys wait in {@link LineBuffers} until whole cache lines can be written.
 * Memory: that of {@link RadixKeySorter} and 64 bytes for each value of a digit.
 */
public final class BufferedRadixKeySorter extends RadixKeySorter {
  private final int maxDigitBits;

  /** A sorter with digits of at most {@code maxDigitBits} bits, 1 to 16. */
  public BufferedRadixKeySorter(int maxDigitBits) {
    super(maxDigitBits);
    this.maxDigitBits = maxDigitBits;
  }

  @Override
  protected Scatter newScatter() {
    return new LineBuffers(1 << maxDigitBits);
  }
}
