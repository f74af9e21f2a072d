package io.kmodel.indexer.source;

/**
 * What members unpack to at first, without reading them: whether there is one at all where bytes
 * look like the start of one is tried in the window where they are.
 *
 * <p>Time: that of {@link #packedBytes} at most for each try. Failure: what is no member unpacks to
 * nothing, as an empty one does, and what is damaged to what comes before that; checksums are not
 * looked at. Not thread-safe.
 */
interface MemberLook extends AutoCloseable {
  /** That {@link #isHeader} looks at. */
  int headerBytes();

  /** That one look needs at most, if there are so many. */
  int packedBytes();

  /** Whether the bytes at an offset, {@link #headerBytes}, are those that members start with. */
  boolean isHeader(byte[] bytes, int at);

  /** Holds what {@link #unpack} has unpacked. */
  byte[] unpacked();

  /**
   * Unpacks the first bytes of the member that seems to start at {@code from}.
   *
   * @param to where the file, or the look, ends
   * @param wanted at most {@value RecordStarts#LOOK_BYTES}
   * @param on whether those of the members behind it count, too, where it is shorter
   * @return how many there are
   */
  int unpack(byte[] packed, int from, int to, int wanted, boolean on);

  @Override
  void close();
}
