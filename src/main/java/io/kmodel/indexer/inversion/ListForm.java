package io.kmodel.indexer.inversion;

/** How a device returns the lists of a block. */
public enum ListForm {
  /** As sorted keys, which can be encoded in any way: 8 bytes for a token, and 32 for a term. */
  KEYS(46),

  /** Encoded for Lucene, some 2 bytes for a token, and 56 for a term. */
  LUCENE(15);

  /** Memory for the results, in tenths of the bytes of text. */
  private final int perTenBytes;

  ListForm(int perTenBytes) {
    this.perTenBytes = perTenBytes;
  }

  /** Memory for the results of a text. More than that cannot come back from a device. */
  long resultBytes(long textBytes) {
    return perTenBytes * textBytes / 10;
  }

  /** The most bytes of text for which there is room in a memory that also holds the text. */
  long textBytes(long memoryBytes) {
    // For the parts of a text, a tenth.
    return memoryBytes * 10 / (perTenBytes + 11);
  }
}
