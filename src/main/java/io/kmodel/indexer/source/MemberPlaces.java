package io.kmodel.indexer.source;

/**
 * Where in the file the members lie (those of gzip, or frames of zstd) that hold bytes of what it
 * unpacks to.
 */
interface MemberPlaces {
  /**
   * Where the member starts whose first byte of output is at {@code offset} of the output.
   *
   * @return its offset in the file; -1 if no member starts there, or too long ago
   */
  default long memberAt(long offset) {
    return memberStart(offset) == offset ? memberOf(offset) : -1;
  }

  /** The offset in the file of the member that holds a byte of the output; -1 if too long ago. */
  long memberOf(long offset);

  /** Where the output begins of the member that holds a byte of it; -1 if too long ago. */
  long memberStart(long offset);

  /** Where a byte of the output is in that of its member; -1 if that is too long ago. */
  default long offsetInMember(long offset) {
    long start = memberStart(offset);
    return start < 0 ? -1 : offset - start;
  }

  /** Offset in the file of its first member, which is reached from its start. */
  long firstMember();

  /**
   * The offset to report of what could not be unpacked.
   *
   * @param outputOffset of it in what the file unpacks to
   */
  long failurePlace(long outputOffset);
}
