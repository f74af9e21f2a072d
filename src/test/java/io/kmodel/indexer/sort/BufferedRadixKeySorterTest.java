package io.kmodel.indexer.sort;

/** The radix sort with buffers, by all that is asked of the one without. */
class BufferedRadixKeySorterTest extends RadixKeySorterTest {
  @Override
  KeySorter sorter(int digitBits) {
    return RadixKeySorter.buffered(digitBits);
  }
}
