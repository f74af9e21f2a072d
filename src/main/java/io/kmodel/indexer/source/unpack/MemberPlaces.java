package io.kmodel.indexer.source.unpack;

/**
 * Locates the members (of gzip, or frames of zstd) that hold bytes of a file's decompressed output.
 */
interface MemberPlaces {
  /**
   * Finds the member whose first byte of output is at {@code offset} of the output.
   *
   * @return its offset in the file; -1 if no member starts there, or it is not remembered
   */
  default long memberAt(long offset) {
    return memberStart(offset) == offset ? memberOf(offset) : -1;
  }

  /** The offset in the file of the member that holds a byte of the output; -1 if not remembered. */
  long memberOf(long offset);

  /** Where the output of the member that holds a byte starts; -1 if not remembered. */
  long memberStart(long offset);

  /** The offset of a byte within the output of its member; -1 if not remembered. */
  default long offsetInMember(long offset) {
    long start = memberStart(offset);
    return start < 0 ? -1 : offset - start;
  }

  /** Offset in the file of its first member, which is found from the start of the file. */
  long firstMember();

  /**
   * The offset to report for data that could not be decompressed.
   *
   * @param outputOffset its offset in the output
   */
  long failurePlace(long outputOffset);
}
