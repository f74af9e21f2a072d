package io.kmodel.indexer.index.terms;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A contiguous range of the terms of an index, in whole blocks of its dictionary.
 *
 * @param from the first block
 * @param to the block after the last
 * @param bytes size of the terms' postings and dictionary entries, plus {@value #TERM_BYTES} per
 *     term: a list of one document takes almost no space, but still costs work and memory
 */
public record TermBlocks(long from, long to, long bytes) {
  static final int TERM_BYTES = 64;

  private static final long BLOCK_BYTES = (long) TERM_BYTES * TermDictionaryWriter.BLOCK_TERMS;
  private static final int BUFFER_BYTES = 64;

  public TermBlocks {
    if (from < 0 || to < from) {
      throw new IllegalArgumentException("invalid range of blocks: %d..%d".formatted(from, to));
    }
  }

  /**
   * Cuts all terms into consecutive ranges of at most {@code bytes}. A larger range is a single
   * block.
   */
  public static List<TermBlocks> cut(IndexContent content, long bytes) throws IOException {
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
