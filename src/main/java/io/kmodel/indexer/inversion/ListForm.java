package io.kmodel.indexer.inversion;

/** How a device returns the lists of a block. */
public enum ListForm {
  /** As sorted keys, which can be encoded in any way: 8 bytes for a token, and 32 for a term. */
  KEYS(46),

  /** Encoded for Lucene, some 2 bytes for a token, and 56 for a term. */
  LUCENE(15);

  /** Memory for a text and its parts, in tenths of the bytes of text. */
  private static final int TEXT_AND_PARTS = 11;

  /** Memory for the results, in tenths of the bytes of text. */
  private final int perTenBytes;

  ListForm(int perTenBytes) {
    this.perTenBytes = perTenBytes;
  }

  /** Memory for the results of a text. More than that cannot come back from a device. */
  long resultBytes(long textBytes) {
    return perTenBytes * textBytes / 10;
  }

  /** Memory for a text, its parts and its results. */
  public long memoryBytes(long textBytes) {
    return (perTenBytes + TEXT_AND_PARTS) * textBytes / 10;
  }

  /** The most bytes of text for which there is room in a memory that also holds the text. */
  long textBytes(long memoryBytes) {
    return memoryBytes * 10 / (perTenBytes + TEXT_AND_PARTS);
  }
}
