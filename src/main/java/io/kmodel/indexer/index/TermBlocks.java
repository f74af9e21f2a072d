package io.kmodel.indexer.index;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A contiguous range of the terms of an index, in whole blocks of its dictionary.
 *
 * @param from the first block
 * @param to the one after the last
 * @param bytes of the terms' postings and of the terms as the dictionary has them, and {@value
 *     #TERM_BYTES} for every term: a list of one document takes next to none, but work and memory
 *     all the same
 */
public record TermBlocks(long from, long to, long bytes) {
  static final int TERM_BYTES = 64;

  private static final long BLOCK_BYTES = (long) TERM_BYTES * TermDictionaryWriter.BLOCK_TERMS;
  private static final int BUFFER_BYTES = 64;

  public TermBlocks {
    if (from < 0 || to < from) {
      throw new IllegalArgumentException("no range of blocks: %d..%d".formatted(from, to));
    }
  }

  /**
   * Ranges, in order, that together hold every term. One with more than {@code bytes} is a single
   * block.
   */
  static List<TermBlocks> cut(IndexContent content, long bytes) throws IOException {
    DictionaryReader dictionary = new DictionaryReader(content, BUFFER_BYTES);
    List<TermBlocks> ranges = new ArrayList<>();
    long blocks = content.termIndex().blocks();
    for (long from = 0; from < blocks; from = ranges.getLast().to()) {
      long before = bytesBefore(content, dictionary, from);
      long low = from + 1;
      long high = blocks;
      while (low < high) {
        long middle = (low + high + 1) >>> 1;
        if (bytesBefore(content, dictionary, middle) - before <= bytes) {
          low = middle;
        } else {
          high = middle - 1;
        }
      }
      ranges.add(new TermBlocks(from, low, bytesBefore(content, dictionary, low) - before));
    }
    return ranges;
  }

  private static long bytesBefore(IndexContent content, DictionaryReader dictionary, long block)
      throws IOException {
    return dictionary.postingsBytesBefore(block)
        + content.termIndex().blockOffset(block)
        + block * BLOCK_BYTES;
  }
}
