package io.kmodel.indexer.sort.lab;

import io.kmodel.indexer.sort.KeySorter;
import io.kmodel.indexer.sort.RadixKeySorterTest;

/** The radix sort with buffers passes all tests of the one without. */
public class BufferedRadixKeySorterTest extends RadixKeySorterTest {
  @Override
  public KeySorter sorter(int digitBits) {
    return new BufferedRadixKeySorter(digitBits);
  }
}
