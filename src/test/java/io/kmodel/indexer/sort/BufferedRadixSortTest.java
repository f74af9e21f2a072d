package io.kmodel.indexer.sort;

/** The radix sort with lines, by all that is asked of the one without. */
class BufferedRadixSortTest extends RadixKeySorterTest {
  @Override
  KeySorter sorter() {
    return RadixKeySorter.buffered(RadixKeySorter.DIGIT_BITS);
  }
}
